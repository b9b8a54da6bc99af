-- require_waiting_item: fails the batch if an item no longer waits, or waits with other content.
insert into stale_read (hit) select 'review' where not exists (
  select 1 from review_items
  where account_id = :account_id and id = {unhex:id} and content = {unhex:content} and waits)
