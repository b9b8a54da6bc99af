-- make_link: stores a sign-in link of a login, in place of its earlier one.
insert into sign_in_links (login_id, digest, expires_at)
select id, :digest, :expires_at from logins where id = {unhex:login}
on conflict (login_id) do update set digest = excluded.digest, expires_at = excluded.expires_at
