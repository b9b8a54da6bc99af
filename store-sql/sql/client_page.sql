-- client_page: the clients as they stood at the horizon, in the order of those states: one row more
-- than the page holds, or fewer up to the row that the look ends with (ends_look).
with viewer as materialized (
  select account.id as account_id, {horizon} as horizon, account.last_commit_at > {horizon} as may_see_states
  from api_keys as key cross join accounts as account on account.id = key.account_id
  where key.digest = :key and key.revoked_at is null
),
look as materialized (
  -- The row of client_states that the page looks at last, shown or not; just after the horizon if
  -- there are fewer. It ends the range of both indexes, which take one end only.
  select updated_at, id from (
    select updated_at, id from client_states
    where (select may_see_states from viewer) and account_id = (select account_id from viewer)
      and (updated_at, id) > (:after_at, unhex(:after_id)) and updated_at <= (select horizon from viewer)
    order by updated_at, id limit 1 offset :look_rows)
  union all
  select horizon + 1, x'' from viewer
  limit 1
)
select hex(id) as id, {columns:client_fields}, created_at, updated_at, is_shown, ends_look from (
  select id, {columns:client_fields}, created_at, updated_at, 1 as is_shown, 0 as ends_look
  from clients indexed by clients_by_update
  where account_id = (select account_id from viewer)
    and (updated_at, id) > (:after_at, unhex(:after_id))
    and (updated_at, id) <= (select updated_at, id from look)
  union all
  select id, {columns:client_fields}, created_at, updated_at, superseded_at > (select horizon from viewer),
    (updated_at, id) = (select updated_at, id from look)
  from client_states
  where (select may_see_states from viewer) and account_id = (select account_id from viewer)
    and (updated_at, id) > (:after_at, unhex(:after_id))
    and (updated_at, id) <= (select updated_at, id from look)
    and (superseded_at > (select horizon from viewer) or (updated_at, id) = (select updated_at, id from look))
  order by updated_at, id
  limit :rows
)
