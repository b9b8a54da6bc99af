-- logins_of_accounts: the logins of accounts, oldest first within each.
select {hex:login.id} as id, {hex:account.public_id} as account_id, login.email, login.role, login.created_at
from {each} accounts as account
  cross join logins as login indexed by logins_by_account on login.account_id = account.id
where account.public_id = {unhex:account}
