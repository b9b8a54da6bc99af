-- keys_of_account: an account's keys, oldest first.
select {hex:key.id} as id, {hex:account.public_id} as account_id, {hex:key.login_id} as login_id, key.label, key.last_four,
  key.scope, key.ends_at, key.created_at, key.last_used_at, key.revoked_at
from accounts as account cross join api_keys as key indexed by api_keys_by_account on key.account_id = account.id
where account.public_id = {unhex:account}
order by key.created_at, key.id
