-- client_state_page: the clients that changed after the horizon, as they stood then, in the order of
-- those states, after a place: one row more than the page holds, or those among the first :look_rows
-- states, and then the one that the look ended with (ends_look), shown before or not. No state is
-- looked at where nobody changed after the horizon, or where there is none (View::horizon).
with ahead as not materialized (
  select id, {columns:client_fields}, created_at, updated_at, superseded_at from client_states
  where account_id = (
      select account.id from api_keys as key cross join accounts as account on account.id = key.account_id
      where key.digest = :key and key.revoked_at is null
        and account.last_commit_at > :delayed and account.last_commit_at <= :trusted_until)
    and (updated_at, id) > (:after_at, unhex(:after_id)) and updated_at <= :delayed
)
select {pack}hex(id), {columns:client_fields}, created_at, updated_at, 1, 0{end_pack}
from (select * from ahead order by updated_at, id limit :look_rows) where superseded_at > :delayed
union all
select * from (
  select {pack}hex(id), {columns:client_fields}, created_at, updated_at, 0, 1{end_pack}
  from ahead order by updated_at, ahead.id limit 1 offset :look_rows - 1)
limit :rows
