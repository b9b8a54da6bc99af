-- lookup_by_alias: the client that has an external_id as an alias. Settlements are included if the request needs them.
select {pack}{matched_client}{end_pack}
from {each} client_aliases as alias indexed by client_aliases_by_external_id
  cross join clients as client on client.account_id = alias.account_id and client.id = alias.client_id
where alias.account_id = {account} and alias.external_id = :external_id and alias.removed_in is null
