-- client_origin: who made the commit that created a client. Ids of one request begin with the same time, so it is
-- among those from :first_request to :last_request.
select saved.api_key_id is not null as is_key, saved.login_id is not null as is_person,
  coalesce(key.label, login.email) as name
from clients as client
  cross join commits as saved on saved.account_id = client.account_id
    and saved.request_id >= {unhex:first_request} and saved.request_id <= {unhex:last_request}
  left join api_keys as key on key.id = saved.api_key_id
  left join logins as login on login.id = saved.login_id
where client.account_id = (select id from accounts where public_id = {unhex:account})
  and client.id = {unhex:client} and saved.at = client.created_at
limit 1
