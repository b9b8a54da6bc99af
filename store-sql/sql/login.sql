-- login: one login.
select {hex:login.id} as id, {hex:account.public_id} as account_id, login.email, login.role, login.created_at
from logins as login cross join accounts as account on account.id = login.account_id
where login.id = {unhex:login}
