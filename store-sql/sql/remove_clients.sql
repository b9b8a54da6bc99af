-- remove_clients: keeps clients as they are among the removed ones. A trigger deletes them from the clients.
insert or replace into removed_clients (account_id, id, removed_at, {columns:client_fields}, created_at)
select client.account_id, client.id, {commit_at}, {columns:client_fields:client}, client.created_at
from {each} clients as client where client.account_id = @account_id and client.id = {unhex:id}
