-- find_client_by_alias: the current state of the client that has an external_id as an alias, as a row of find_clients.
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at, 1, 0{end_pack}
from client_aliases as alias indexed by client_aliases_by_external_id
  cross join clients as client on client.account_id = alias.account_id and client.id = alias.client_id
where alias.account_id = (select id from accounts where public_id = {unhex:account})
  and alias.external_id = :external_id and alias.removed_in is null
