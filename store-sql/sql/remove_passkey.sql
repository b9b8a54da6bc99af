-- remove_passkey: removes a passkey of a login.
delete from passkeys where id = {unhex:passkey} and login_id = {unhex:login}
