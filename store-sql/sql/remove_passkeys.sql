-- remove_passkeys: removes the passkeys of a login.
delete from passkeys indexed by passkeys_by_login where login_id = {unhex:login}
