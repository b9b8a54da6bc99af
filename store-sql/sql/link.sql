-- link: whom a sign-in link signs in, unless it has expired.
select {hex:login.id} as id, login.email, login.role, link.expires_at, account.suspended
from sign_in_links as link
  cross join logins as login on login.id = link.login_id
  cross join accounts as account on account.id = login.account_id
where link.digest = :link and link.expires_at > :now
