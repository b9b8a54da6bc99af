-- require_decided_item: fails the batch if nothing is as a request decided about it.
insert into stale_read (hit) select 'review' where not exists (
  select 1 from review_items indexed by review_items_decided
  where account_id = :account_id and decided_in = {unhex:request})
