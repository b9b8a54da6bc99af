-- live_holder: who holds a live key, for whoever has nothing to write yet. By an index of live keys
-- alone: of a key that was revoked and of one that nobody ever had it finds the same, by the same steps.
select {hex:account.public_id} as account_id, account.email, account.api_enabled, account.suspended,
  account.digital_bundle, account.contact_enrichment, login.role, key.last_used_at,
  account.last_commit_at, account.last_erasure_at is not null as has_erased
from api_keys as key indexed by api_keys_live
  cross join accounts as account on account.id = key.account_id
  cross join logins as login on login.id = key.login_id
where key.digest = :key and key.revoked_at is null
