-- client_history: the states of a client at the horizon and before, the latest first, each with the commit that made it:
-- for the account of a key, or without a horizon for an account. Each state is found from the one after it.
with recursive viewer (account_id, horizon) as materialized (
  select account.id, {horizon} from api_keys as key cross join accounts as account on account.id = key.account_id
  where key.digest = :key and key.revoked_at is null
  union all
  select id, :everything from accounts where public_id = {unhex:account}
),
chain (period, updated_at, previous_period, previous_updated_at) as (
  select null, updated_at, previous_period, previous_updated_at from clients
  where account_id = (select account_id from viewer) and id = {unhex:client}
  union all
  select earlier.period, earlier.updated_at, earlier.previous_period, earlier.previous_updated_at
  from chain cross join client_states as earlier
  where earlier.account_id = (select account_id from viewer) and earlier.period = chain.previous_period
    and earlier.updated_at = chain.previous_updated_at and earlier.id = {unhex:client}
),
shown (period, updated_at) as materialized (
  select period, updated_at from chain
  where updated_at <= (select horizon from viewer) and updated_at < :before limit :rows
),
states as (
  select created_at, clients.updated_at, request_id, matched_by, {columns:client_fields}
  from shown cross join clients
  where period is null and account_id = (select account_id from viewer) and id = {unhex:client}
  union all
  select created_at, state.updated_at, request_id, matched_by, {columns:client_fields}
  from shown cross join client_states as state
  where account_id = (select account_id from viewer) and state.period = shown.period
    and state.updated_at = shown.updated_at and id = {unhex:client}
),
authored (created_at, updated_at, request_id, matched_by, commit_at, key_id, login_id, label, import_id,
  {columns:client_fields}, alias, is_given) as (
  select states.created_at, states.updated_at, states.request_id, states.matched_by, saved.at, saved.api_key_id,
    saved.login_id, coalesce(key.label, key.last_four, login.email), saved.import_id, {columns:client_fields:states},
    coalesce(given.external_id, taken.external_id), given.external_id is not null
  from states
    left join commits as saved
      on saved.account_id = (select account_id from viewer) and saved.request_id = states.request_id
    left join api_keys as key on key.id = saved.api_key_id
    left join logins as login on login.id = saved.login_id
    left join client_aliases as given on given.account_id = (select account_id from viewer)
      and given.client_id = {unhex:client} and given.added_in = states.request_id
    left join client_aliases as taken on taken.account_id = (select account_id from viewer)
      and taken.client_id = {unhex:client} and taken.removed_in = states.request_id
)
select {pack}created_at, updated_at, {hex:request_id}, matched_by, commit_at, {hex:key_id}, {hex:login_id}, label, {hex:import_id},
  {columns:client_fields}, alias, is_given{end_pack}
from authored
