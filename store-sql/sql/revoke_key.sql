-- revoke_key: revokes a key; a repeat keeps the first revocation time.
update api_keys set revoked_at = :at where id = {unhex:id} and revoked_at is null
