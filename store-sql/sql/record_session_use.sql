-- record_session_use: stores the time of a session's last use.
update sessions as session set used_at = max(session.used_at, :now) where {session_is_open}
