-- change_session: who changes clients with a session, the version of the account, how far the import is, and what the
-- request has already saved. A session that a suspension closed is shown for as long as that lasts.
select {hex:session.id} as session_id, session.started_at, session.used_at, session.is_suspended,
  {hex:login.id} as login_id, login.email as login_email, login.role, {hex:account.public_id} as account_id,
  account.number, account.email as account_email, account.api_enabled, account.suspended, account.digital_bundle,
  account.contact_enrichment, import.row_count, import.sent_rows, import.ended_at is not null as has_ended,
  account.id as account_number, account.last_commit_at, account.last_erasure_at, account.last_alias_at,
  exists (select 1 from review_items as item where item.account_id = account.id) as keeps_review,
  :names_similar and exists (select 1 from similar_pairs as pair where pair.account_id = account.id) as keeps_similar,
 
  earlier.attempt as earlier_attempt, saved.request_digest, saved.status, saved.body
from sessions as session
  cross join logins as login on login.id = session.login_id
  cross join accounts as account on account.id = login.account_id
  left join imports as import on import.id = {unhex:import} and import.account_id = account.id
  left join commits as earlier on earlier.account_id = account.id and earlier.request_id = {unhex:request_id}
  left join saved_answers as saved on saved.account_id = account.id
    and saved.idempotency_key = :idempotency_key and saved.saved_at > :answers_since
where {session_is_open} and (session.is_suspended = 0 or account.suspended = 1)
