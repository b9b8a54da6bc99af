-- sweep_states: deletes earlier states that were superseded at :dead_before or earlier, among the account's
-- :sweep_rows first ones of periods that were over then.
delete from client_states
where account_id = :account_id and superseded_at <= :dead_before and (period, updated_at, id) in (
  select period, updated_at, id from client_states
  where account_id = :account_id and period < :dead_period
  order by period, updated_at, id limit :sweep_rows)
