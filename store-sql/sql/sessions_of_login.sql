-- sessions_of_login: the open sessions of a login, the newest first.
select {hex:session.id} as session_id, session.started_at, session.used_at
from sessions as session indexed by sessions_by_login
where session.login_id = {unhex:login} and session.is_suspended = 0
  and session.started_at > :started_before and session.used_at > :used_before
order by session.started_at desc, session.id desc limit :rows
