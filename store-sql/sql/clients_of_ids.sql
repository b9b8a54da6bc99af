-- clients_of_ids: the clients with these ids, as they are now.
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at{end_pack}
from {each} clients as client
where client.account_id = (select id from accounts where public_id = {unhex:@account}) and client.id = {unhex:id}
