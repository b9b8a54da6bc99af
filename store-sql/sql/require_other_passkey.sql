-- require_other_passkey: fails the batch if the login has no other passkey.
insert into stale_read (hit) select 'passkey' where not exists (
  select 1 from passkeys indexed by passkeys_by_login where login_id = {unhex:login} and id <> {unhex:passkey})
