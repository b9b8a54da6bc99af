-- set_role: what a login may do from now on.
update logins set role = :role where id = {unhex:login}
