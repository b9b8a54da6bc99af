-- live_key_owner: who owns a live key, for requests that write nothing. It uses an index of live keys
-- alone, so a revoked key and an unknown key take the same steps and give the same result. A key that has ended gives none.
select {hex:account.public_id} as account_id, account.email, account.api_enabled, account.suspended,
  account.digital_bundle, account.contact_enrichment, login.role, key.last_used_at, key.scope, key.ends_at,
  account.last_commit_at, account.last_erasure_at is not null as has_erased
from api_keys as key indexed by api_keys_live
  cross join accounts as account on account.id = key.account_id
  cross join logins as login on login.id = key.login_id
where key.digest = :key and key.revoked_at is null and (key.ends_at is null or key.ends_at > :now)
