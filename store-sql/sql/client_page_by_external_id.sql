-- client_page_by_external_id: the client with an external_id, as it was at the horizon. The client is
-- found by its current external_id; its earlier states are then followed back. Whether that state has the
-- external_id, too, is for the caller to say.
with recursive viewer as materialized (
  select account.id as account_id, {horizon} as horizon
  from api_keys as key cross join accounts as account on account.id = key.account_id
  where key.digest = :key and key.revoked_at is null
),
chain (period, updated_at, id, previous_period, previous_updated_at) as (
  select null, updated_at, id, previous_period, previous_updated_at from clients indexed by clients_by_external_id
  where account_id = (select account_id from viewer) and external_id = :external_id
{one_client_page}