-- login_of_passkey: the login of a passkey.
select {hex:login.id} as id, {hex:account.public_id} as account_id, login.email, login.role, login.created_at
from passkeys as passkey
  cross join logins as login on login.id = passkey.login_id
  cross join accounts as account on account.id = login.account_id
where passkey.id = {unhex:passkey}
