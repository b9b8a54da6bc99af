-- count_review_items: how many items of an account wait, up to :rows.
select count(*) as waiting from (
  select 1 from review_items
  where account_id = (select id from accounts where public_id = {unhex:account}) and waits
    and last_seen_at >= :seen_since
  limit :rows)
