-- client: the current state of one client.
select {hex:client.id} as id, {columns:client_fields:client}, client.created_at, client.updated_at
from accounts as account cross join clients as client on client.account_id = account.id
where account.public_id = {unhex:account} and client.id = {unhex:client}
