-- login: one login.
select hex(login.id), hex(account.public_id), login.email, login.role, login.created_at
from logins as login cross join accounts as account on account.id = login.account_id
where login.id = unhex(:login)
