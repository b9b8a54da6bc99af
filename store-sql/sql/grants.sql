-- grants: the counties visible to a key's account, each with its first crash date.
select county_fips, from_date from county_grants
where account_id = (select account_id from api_keys where digest = :key and revoked_at is null)
order by county_fips
