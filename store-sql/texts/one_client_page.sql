  union all
  select earlier.period, earlier.updated_at, earlier.id, earlier.previous_period, earlier.previous_updated_at
  from chain cross join client_states as earlier
  where chain.updated_at > (select horizon from viewer)
    and earlier.account_id = (select account_id from viewer) and earlier.period = chain.previous_period
    and earlier.updated_at = chain.previous_updated_at and earlier.id = chain.id
  limit :scan_rows
),
shown (period, updated_at, id) as materialized (
  select period, updated_at, id from chain
  where updated_at <= (select horizon from viewer) and (updated_at, id) > (:after_at, {unhex:after_id})
)
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at{end_pack}
from shown cross join clients as client
where shown.period is null and client.account_id = (select account_id from viewer) and client.id = shown.id
union all
select {pack}{hex:state.id}, {columns:client_fields:state}, state.created_at, state.updated_at{end_pack}
from shown cross join client_states as state
where state.account_id = (select account_id from viewer) and state.period = shown.period
  and state.updated_at = shown.updated_at and state.id = shown.id
