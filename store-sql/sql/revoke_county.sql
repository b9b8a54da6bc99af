-- revoke_county: revokes an account's grant of a county.
delete from county_grants
where account_id = (select id from accounts where public_id = {unhex:account}) and county_fips = :fips
