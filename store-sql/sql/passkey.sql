-- passkey: the passkey with a credential id, and whether its account is suspended.
select {hex:passkey.login_id} as login_id, {hex:passkey.state} as state, account.suspended
from passkeys as passkey
  cross join logins as login on login.id = passkey.login_id
  cross join accounts as account on account.id = login.account_id
where passkey.credential_id = {unhex:credential_id}
