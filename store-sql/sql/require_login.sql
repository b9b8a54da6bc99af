-- require_login: fails the batch when there is no such login.
insert into stale_read (hit) select 'login' where not exists (
  select 1 from logins where id = {unhex:login})
