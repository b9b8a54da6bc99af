-- begin_session: inserts a session of a login.
insert into sessions (digest, id, login_id, started_at, used_at)
values (:session, {unhex:id}, {unhex:login}, :now, :now)
