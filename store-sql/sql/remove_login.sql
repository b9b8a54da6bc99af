-- remove_login: removes a login.
delete from logins where id = {unhex:login}
