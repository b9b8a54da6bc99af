-- revoke_key: stops a key; the first time stays.
update api_keys set revoked_at = :at where id = {unhex:id} and revoked_at is null
