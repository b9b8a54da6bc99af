-- require_own_passkey: fails the batch if the login does not have the passkey.
insert into stale_read (hit) select 'passkey' where not exists (
  select 1 from passkeys where id = {unhex:passkey} and login_id = {unhex:login})
