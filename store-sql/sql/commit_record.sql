-- commit_record: the record of a request's commit, and who made it.
select saved.at, saved.period, saved.created, saved.changed, {hex:saved.api_key_id} as key_id,
  {hex:saved.login_id} as login_id, coalesce(key.label, key.last_four, login.email) as label
from commits as saved
  left join api_keys as key on key.id = saved.api_key_id
  left join logins as login on login.id = saved.login_id
where saved.account_id = (select id from accounts where public_id = {unhex:account})
  and saved.request_id = {unhex:request}
