-- add_passkey: inserts a passkey.
insert into passkeys (credential_id, id, login_id, state, name, created_at)
values ({unhex:credential_id}, {unhex:id}, {unhex:login}, {unhex:state}, :name, :now)
