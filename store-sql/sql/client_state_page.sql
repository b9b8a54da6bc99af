-- client_state_page: the first :scan_rows client states that were superseded in a period, after a cursor, in
-- listing order. They are the states, as of the horizon, of clients that changed after it, and dead states:
-- those superseded before the horizon (the last column). No row is read if no client changed after the
-- horizon, or if there is no horizon (View::horizon).
select {pack}{hex:client_states.id}, {columns:client_fields}, created_at, updated_at, superseded_at{end_pack}
from client_states
where account_id = (
    select account.id from api_keys as key cross join accounts as account on account.id = key.account_id
    where key.digest = :key and key.revoked_at is null
      and account.last_commit_at > :delayed and account.last_commit_at <= :trusted_until)
  and period = :period and (updated_at, client_states.id) > (:after_at, {unhex:after_id}) and updated_at <= :delayed
order by updated_at, client_states.id limit :scan_rows
