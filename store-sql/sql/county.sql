-- county: an account's grant of one county.
select county_fips, from_date from county_grants
where account_id = (select id from accounts where public_id = {unhex:account}) and county_fips = :fips
