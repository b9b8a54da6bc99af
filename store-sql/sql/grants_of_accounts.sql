-- grants_of_accounts: the county grants of accounts.
select {hex:account.public_id} as account_id, access.county_fips, access.from_date
from {each} accounts as account cross join county_grants as access on access.account_id = account.id
where account.public_id = {unhex:account}
