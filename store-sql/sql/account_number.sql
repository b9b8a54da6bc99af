-- account_number: the number of the account that one of these names: itself, a login, a key, or a sign-in link, a session
-- or a passkey of one of its logins.
select number from accounts where id = coalesce(
  (select id from accounts where public_id = {unhex:account}),
  (select account_id from logins where id = {unhex:login}),
  (select account_id from api_keys where id = {unhex:key}),
  (select account_id from logins where id = (select login_id from sign_in_links where digest = :link)),
  (select account_id from logins where id = (select login_id from sessions where digest = :session)),
  (select account_id from logins where id = (
    select login_id from passkeys where credential_id = {unhex:credential_id})))
