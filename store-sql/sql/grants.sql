-- grants: the counties that a key's account sees, and from which crash date on.
select county_fips, from_date from county_grants
where account_id = (select account_id from api_keys where digest = :key and revoked_at is null)
order by county_fips
