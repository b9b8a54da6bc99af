-- sweep_review_items: deletes items that were last seen before :seen_since, and those beyond the newest :items_max, among
-- the account's :sweep_rows first ones.
delete from review_items indexed by review_items_by_number
where account_id = :account_id and number in (
    select number from review_items indexed by review_items_by_number
    where account_id = :account_id order by number limit :sweep_rows)
  and (last_seen_at < :seen_since or number <= (
    select max(number) from review_items indexed by review_items_by_number where account_id = :account_id) - :items_max)
