-- set_role: changes the role of a login.
update logins set role = :role where id = {unhex:login}
