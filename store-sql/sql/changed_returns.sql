-- changed_returns: the clients that a commit brought back and that changed since, as they are. What is kept of that they
-- were removed tells them: their ids and states do not.
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at{end_pack}
from commits as made
  cross join removed_clients as back indexed by removed_clients_by_time
    on back.account_id = made.account_id and back.removed_at = made.at
  cross join clients as client on client.account_id = back.account_id and client.id = back.id
where made.account_id = (select id from accounts where public_id = {unhex:account})
  and made.request_id = {unhex:request} and client.updated_at > made.at
