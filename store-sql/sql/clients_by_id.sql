-- clients_by_id: clients as they are now, by id, after one.
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at{end_pack}
from clients as client
where client.account_id = (select id from accounts where public_id = {unhex:account}) and client.id > {unhex:after}
order by client.id limit :rows
