-- find_client_by_external_id: the current state of the client with an external_id, as a row of find_clients.
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at, 1, 0{end_pack}
from clients as client indexed by clients_by_external_id
where client.account_id = (select id from accounts where public_id = {unhex:account})
  and client.external_id = :external_id
