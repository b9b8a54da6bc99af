-- grant_county: opens a county to an account, or moves the date from which it is open.
insert into county_grants (account_id, county_fips, from_date)
select id, :fips, :from_date from accounts where public_id = {unhex:account}
on conflict (account_id, county_fips) do update set from_date = excluded.from_date
