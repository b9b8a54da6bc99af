-- require_county: fails the batch if the account has no grant for the county.
insert into stale_read (hit) select 'county' where not exists (
  select 1 from county_grants
  where account_id = (select id from accounts where public_id = {unhex:account}) and county_fips = :fips
    and from_date = :from_date)
