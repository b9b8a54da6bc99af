-- create_key: inserts an API key for a login.
insert into api_keys (id, account_id, login_id, digest, last_four, label, scope, ends_at, created_at)
select {unhex:id}, account_id, id, :digest, :last_four, :label, :scope, :ends_at, :at from logins where id = {unhex:login}
