-- require_new_passkey: fails the batch if a passkey has the credential id already.
insert into stale_read (hit) select 'passkey' from passkeys where credential_id = {unhex:credential_id}
