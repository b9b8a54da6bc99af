-- require_link: fails the batch if a sign-in link does not work.
insert into stale_read (hit) select 'link' where not exists (
  select 1 from sign_in_links as link
    cross join logins as login on login.id = link.login_id
    cross join accounts as account on account.id = login.account_id
  where link.digest = :link and link.expires_at > :now and account.suspended = 0)
