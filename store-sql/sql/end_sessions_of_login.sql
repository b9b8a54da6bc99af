-- end_sessions_of_login: ends the sessions of a login; with a role only if the login has another one.
delete from sessions indexed by sessions_by_login where login_id = {unhex:login}
  and (:role is null or (select role from logins where id = {unhex:login}) <> :role)
