-- passkeys_of_login: the passkeys of a login, oldest first.
select {hex:passkey.id} as passkey_id, {hex:passkey.credential_id} as credential_id, passkey.name, passkey.created_at,
  passkey.last_used_at
from passkeys as passkey indexed by passkeys_by_login
where passkey.login_id = {unhex:login}
order by passkey.created_at, passkey.id
