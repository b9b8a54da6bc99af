stream (county_fips, from_date, crash_year) as (
  select access.county_fips, access.from_date, (
    select min(crash_year) from prospects indexed by prospects_by_county
    where crash_county_fips = access.county_fips and crash_year >= cast(substr(access.from_date, 1, 4) as integer))
  from county_grants as access
  where access.account_id = {reader}
  union all
  select stream.county_fips, stream.from_date, (
    select min(crash_year) from prospects indexed by prospects_by_county
    where crash_county_fips = stream.county_fips and crash_year > stream.crash_year)
  from stream where stream.crash_year is not null
)
