-- touched_clients: each state, from the present one down to the one before the commit, of every client that the commit
-- created or changed, each with the client that has its external_id now. The states that the commit superseded are
-- those of its period with its time. Clients that it created and that changed since are found by their ids, which
-- begin with the time of the request. Of a batch of an import, the states go down to the first that the import may have
-- made.
with recursive change (account_id, at, period) as materialized (
  select account_id, at, period from commits
  where account_id = (select id from accounts where public_id = {unhex:account}) and request_id = {unhex:request}
),
touched (account_id, id, at) as materialized (
  select change.account_id, state.id, change.at from change cross join client_states as state
  where state.account_id = change.account_id and state.period = change.period and state.superseded_at = change.at
  union all
  select change.account_id, client.id, change.at
  from change cross join clients as client indexed by clients_by_update
  where client.account_id = change.account_id and client.updated_at = change.at
    and (client.created_at = change.at or client.matched_by = 0)
  union all
  select change.account_id, client.id, change.at from change cross join clients as client
  where client.account_id = change.account_id and client.id >= {unhex:first_id} and client.id <= {unhex:last_id}
    and client.created_at = change.at and client.updated_at > change.at
),
chain (account_id, id, at, period, updated_at, previous_period, previous_updated_at) as (
  select touched.account_id, touched.id, touched.at, null, client.updated_at, client.previous_period,
    client.previous_updated_at
  from touched cross join clients as client
  where client.account_id = touched.account_id and client.id = touched.id
  union all
  select chain.account_id, chain.id, chain.at, state.period, state.updated_at, state.previous_period,
    state.previous_updated_at
  from chain cross join client_states as state
  where chain.updated_at >= coalesce(:first_at, chain.at) and state.account_id = chain.account_id and state.period = chain.previous_period
    and state.updated_at = chain.previous_updated_at and state.id = chain.id
),
found (account_id, id, created_at, updated_at, request_id, matched_by, {columns:client_fields}) as (
  select chain.account_id, chain.id, client.created_at, client.updated_at, client.request_id, client.matched_by,
    {columns:client_fields:client}
  from chain cross join clients as client
  where chain.period is null and client.account_id = chain.account_id and client.id = chain.id
  union all
  select chain.account_id, chain.id, state.created_at, state.updated_at, state.request_id, state.matched_by,
    {columns:client_fields:state}
  from chain cross join client_states as state
  where state.account_id = chain.account_id and state.period = chain.period
    and state.updated_at = chain.updated_at and state.id = chain.id
),
held (id, created_at, updated_at, is_of_import, matched_by, holder, {columns:client_fields}) as (
  select found.id, found.created_at, found.updated_at, exists (select 1 from commits as batch
      where batch.account_id = found.account_id and batch.request_id = found.request_id
        and batch.import_id = {unhex:import}),
    found.matched_by, coalesce(holder.id, alias.client_id), {columns:client_fields:found}
  from found left join clients as holder indexed by clients_by_external_id
    on holder.account_id = found.account_id and holder.external_id = found.external_id
  left join client_aliases as alias indexed by client_aliases_by_external_id
    on alias.account_id = found.account_id and alias.external_id = found.external_id and alias.removed_in is null
)
select {pack}{hex:id}, is_of_import, matched_by, {hex:holder}, {columns:client_fields}, created_at, updated_at{end_pack} from held
