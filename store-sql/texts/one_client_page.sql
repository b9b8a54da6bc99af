  union all
  select earlier.updated_at, earlier.id, earlier.previous_updated_at, 0
  from chain cross join client_states as earlier
  where chain.updated_at > (select horizon from viewer)
    and earlier.account_id = (select account_id from viewer)
    and earlier.updated_at = chain.previous_updated_at and earlier.id = chain.id
  limit :scan_rows
),
shown (updated_at, id, is_now) as materialized (
  select updated_at, id, is_now from chain
  where updated_at <= (select horizon from viewer) and (updated_at, id) > (:after_at, {unhex:after_id})
)
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at{end_pack}
from shown cross join clients as client
where shown.is_now and client.account_id = (select account_id from viewer) and client.id = shown.id
union all
select {pack}{hex:state.id}, {columns:client_fields:state}, state.created_at, state.updated_at{end_pack}
from shown cross join client_states as state
where not shown.is_now and state.account_id = (select account_id from viewer)
  and state.updated_at = shown.updated_at and state.id = shown.id
