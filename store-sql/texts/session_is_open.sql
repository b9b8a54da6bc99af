session.digest = :session and session.started_at > :started_before and session.used_at > :used_before
