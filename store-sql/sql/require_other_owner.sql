-- require_other_owner: fails the batch if the login is its account's only owner.
insert into stale_read (hit) select 'owner' from logins as login
where login.id = {unhex:login} and login.role = 'owner' and not exists (
  select 1 from logins as other indexed by logins_by_account
  where other.account_id = login.account_id and other.role = 'owner' and other.id <> login.id)
