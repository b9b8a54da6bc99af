-- client_page_by_alias: the client that has an external_id as an alias given up to the horizon, as it was then. Its
-- earlier states are followed back. A commit without a record is older than any horizon.
with recursive viewer as materialized (
  select account.id as account_id, {horizon} as horizon
  from api_keys as key cross join accounts as account on account.id = key.account_id
  where key.digest = :key and key.revoked_at is null
),
chain (period, updated_at, id, previous_period, previous_updated_at) as (
  select null, updated_at, id, previous_period, previous_updated_at from clients
  where account_id = (select account_id from viewer) and id = (
    select client_id from client_aliases as alias indexed by client_aliases_by_external_id
    where alias.account_id = (select account_id from viewer) and alias.external_id = :external_id
      and alias.removed_in is null
      and not exists (select 1 from commits
        where account_id = alias.account_id and request_id = alias.added_in
          and at > (select horizon from viewer)))
{one_client_page}