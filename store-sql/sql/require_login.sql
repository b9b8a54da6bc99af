-- require_login: fails the batch if the login does not exist.
insert into stale_read (hit) select 'login' where not exists (
  select 1 from logins where id = {unhex:login})
