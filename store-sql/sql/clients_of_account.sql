-- clients_of_account: the clients of an account with the given ids, as they are now.
select {hex:client.id} as id, {columns:client_fields:client}, client.created_at, client.updated_at
from {each} clients as client
where client.account_id = (select id from accounts where public_id = {unhex:account})
  and client.id = {unhex:client}
