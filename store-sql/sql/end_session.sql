-- end_session: ends a session.
delete from sessions where digest = :session
