-- client_page_by_id: the client with an id, as it was at the horizon. Its earlier states are followed back.
with recursive viewer as materialized (
  select account.id as account_id, {horizon} as horizon
  from api_keys as key cross join accounts as account on account.id = key.account_id
  where key.digest = :key and key.revoked_at is null
),
chain (period, updated_at, id, previous_period, previous_updated_at) as (
  select null, updated_at, id, previous_period, previous_updated_at from clients
  where account_id = (select account_id from viewer) and id = {unhex:id}
{one_client_page}