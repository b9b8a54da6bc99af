-- key: one key's record.
select {hex:key.id} as id, {hex:account.public_id} as account_id, {hex:key.login_id} as login_id, key.label, key.last_four,
  key.scope, key.ends_at, key.created_at, key.last_used_at, key.revoked_at
from api_keys as key cross join accounts as account on account.id = key.account_id
where key.id = {unhex:id}
