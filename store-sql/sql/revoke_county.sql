-- revoke_county: closes a county to an account.
delete from county_grants
where account_id = (select id from accounts where public_id = {unhex:account}) and county_fips = :fips
