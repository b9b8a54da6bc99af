-- keep_states: keeps clients as they are before the commit changes them.
insert into client_states (account_id, updated_at, id, superseded_at, previous_updated_at, {columns:client_fields},
  created_at)
select client.account_id, client.updated_at, client.id, {commit_at}, client.previous_updated_at,
  {columns:client_fields:client}, client.created_at
from {each} clients as client
where client.account_id = @account_id and client.id = unhex(:id)
