-- suspend_sessions: sessions of an account that is suspended open nothing any more.
update sessions indexed by sessions_by_login set is_suspended = 1
where :suspended = 1 and login_id in (
  select login.id from accounts as account
    cross join logins as login indexed by logins_by_account on login.account_id = account.id
  where account.public_id = {unhex:account})
