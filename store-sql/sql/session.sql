-- session: who asks with an open session. One that a suspension closed is shown for as long as that lasts.
select {hex:session.id} as session_id, session.started_at, session.used_at, session.is_suspended,
  {hex:login.id} as login_id, login.email as login_email, login.role, {hex:account.public_id} as account_id,
  account.number, account.email as account_email, account.api_enabled, account.suspended, account.digital_bundle,
  account.contact_enrichment
from sessions as session
  cross join logins as login on login.id = session.login_id
  cross join accounts as account on account.id = login.account_id
where {session_is_open} and (session.is_suspended = 0 or account.suspended = 1)
