-- record_use: stores the time of a key's last use.
update api_keys set last_used_at = max(coalesce(last_used_at, 0), :now)
where digest = :key and revoked_at is null and (ends_at is null or ends_at > :now)
