-- record_use: remembers when a key was used last.
update api_keys set last_used_at = max(coalesce(last_used_at, 0), :now)
where digest = :key and revoked_at is null
