-- require_passkey: fails the batch if a passkey is gone, has another state than was verified, or may not sign in.
insert into stale_read (hit) select 'passkey' where not exists (
  select 1 from passkeys as passkey
    cross join logins as login on login.id = passkey.login_id
    cross join accounts as account on account.id = login.account_id
  where passkey.credential_id = {unhex:credential_id} and passkey.state = {unhex:verified_state}
    and account.suspended = 0)
