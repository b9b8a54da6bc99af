-- revoke_keys_of_login: revokes the keys that a login created; a revoked one keeps its time.
update api_keys indexed by api_keys_by_account set revoked_at = :at
where account_id = (select account_id from logins where id = {unhex:login}) and login_id = {unhex:login}
  and revoked_at is null
