-- console_prospects_newest: the prospects that a search of an account shows, newest addition first, before a place:
-- one row more than the page holds, or fewer up to the last row that the scan reads (ends_scan). It merges streams as
-- prospects_oldest does, from the other end.
with recursive {prospect_streams},
merged (added_at, id, crash_date, county_fips, from_date, crash_year) as not materialized (
  select prospect.added_at, prospect.id, prospect.crash_date, stream.county_fips, stream.from_date, stream.crash_year
  from stream cross join prospects as prospect indexed by prospects_by_county
  where (:fips is null or stream.county_fips = :fips)
    and prospect.crash_county_fips = stream.county_fips and prospect.crash_year = stream.crash_year
    and (prospect.added_at, prospect.id) = (
      select first.added_at, first.id from prospects as first indexed by prospects_by_county
      where first.crash_county_fips = stream.county_fips and first.crash_year = stream.crash_year
        and first.added_at >= :added_since and (first.added_at, first.id) < (:before_at, {unhex:before_id})
        and first.added_at <= {prospect_horizon}
      order by first.added_at desc, first.id desc limit 1)
  union all
  select prospect.added_at, prospect.id, prospect.crash_date, merged.county_fips, merged.from_date, merged.crash_year
  from merged cross join prospects as prospect indexed by prospects_by_county
  where prospect.crash_county_fips = merged.county_fips and prospect.crash_year = merged.crash_year
    and (prospect.added_at, prospect.id) = (
      select next.added_at, next.id from prospects as next indexed by prospects_by_county
      where next.crash_county_fips = merged.county_fips and next.crash_year = merged.crash_year
        and (next.added_at, next.id) < (merged.added_at, merged.id) and next.added_at >= :added_since
      order by next.added_at desc, next.id desc limit 1)
  order by 1 desc, 2 desc
  limit :scan_rows
),
page (id, is_shown, ends_scan) as not materialized (
  select merged.id, 1, 0 from merged
  where {prospect_is_found}
  union all
  select * from (select id, 0, 1 from merged limit 1 offset :scan_rows - 1)
  limit :rows
)
select {pack}{hex:prospect.id}, {columns:prospect_fields:prospect}, prospect.added_at,
  page.is_shown, page.ends_scan{end_pack}
from page cross join prospects as prospect on prospect.id = page.id
