-- grant_county: grants an account a county, or changes the first date of the grant.
insert into county_grants (account_id, county_fips, from_date)
select id, :fips, :from_date from accounts where public_id = {unhex:account}
on conflict (account_id, county_fips) do update set from_date = excluded.from_date
