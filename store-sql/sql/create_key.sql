-- create_key: inserts an API key for a login.
insert into api_keys (id, account_id, login_id, digest, label, created_at)
select {unhex:id}, account_id, id, :digest, :label, :at from logins where id = {unhex:login}
