-- key_owner: the owner of a key, live or not, the version of its account, and what the request has
-- already saved.
select key.revoked_at is null and (key.ends_at is null or key.ends_at > :now) as is_live, {hex:key.id} as key_id, {hex:account.public_id} as account_id, account.email,
  account.api_enabled, account.suspended, account.digital_bundle, account.contact_enrichment, login.role,
  key.last_used_at, key.scope, key.ends_at, account.id as account_number, account.last_commit_at, account.last_erasure_at, account.last_alias_at,
  exists (select 1 from review_items as item where item.account_id = account.id) as keeps_review,
  :names_similar and exists (select 1 from similar_pairs as pair where pair.account_id = account.id) as keeps_similar,
  earlier.attempt as earlier_attempt, saved.request_digest, saved.status, saved.body
from api_keys as key
  cross join accounts as account on account.id = key.account_id
  cross join logins as login on login.id = key.login_id
  left join commits as earlier on earlier.account_id = account.id and earlier.request_id = {unhex:request_id}
  left join saved_answers as saved on saved.account_id = account.id
    and saved.idempotency_key = :idempotency_key and saved.saved_at > :answers_since
where key.digest = :key
