-- console_new_prospects: how many prospects that the account sees were added since a time, up to :rows.
with recursive {prospect_streams}
select count(*) as new_prospects from (
  select 1 from stream cross join prospects as prospect indexed by prospects_by_county
  where prospect.crash_county_fips = stream.county_fips and prospect.crash_year = stream.crash_year
    and prospect.added_at >= :added_since and prospect.added_at <= {prospect_horizon}
    and prospect.crash_date >= stream.from_date
  limit :rows) as new
