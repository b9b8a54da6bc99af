stream (county_fips, from_date, crash_year) as (
  select granted.county_fips, granted.from_date, (
    select min(crash_year) from prospects indexed by prospects_by_county
    where crash_county_fips = granted.county_fips and crash_year >= cast(substr(granted.from_date, 1, 4) as integer))
  from (
    select county_fips, from_date from county_grants where :grants is null and account_id = {reader}
    union all
    select value->>0, value->>1 from json_each(:grants)) as granted
  union all
  select stream.county_fips, stream.from_date, (
    select min(crash_year) from prospects indexed by prospects_by_county
    where crash_county_fips = stream.county_fips and crash_year > stream.crash_year)
  from stream where stream.crash_year is not null
)
