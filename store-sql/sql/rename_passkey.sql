-- rename_passkey: stores another name of a passkey.
update passkeys set name = :name where id = {unhex:passkey} and login_id = {unhex:login}
