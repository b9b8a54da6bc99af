-- create_login: inserts a login for an account.
insert into logins (id, account_id, email, role, created_at)
select {unhex:login}, id, :email, :role, :at from accounts where public_id = {unhex:account}
