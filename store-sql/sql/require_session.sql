-- require_session: fails the batch if the session opens nothing any more, or opens something else than when it was
-- read.
insert into stale_read (hit) select 'session' where not exists (
  select 1 from sessions as session
    cross join logins as login on login.id = session.login_id
    cross join accounts as account on account.id = login.account_id
  where {session_is_open} and session.is_suspended = 0 and login.role = :role and account.suspended = 0
    and account.api_enabled = :api_enabled)
