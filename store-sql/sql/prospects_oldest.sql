-- prospects_oldest: the prospects that a key's account sees, in the order in which they were added,
-- after a place: one row more than the page holds, or fewer up to the row that the look ends with
-- (ends_look), shown before or not.
--
-- Each county and crash year is a stream that the index holds in order. The recursion is a merge of
-- the streams: its queue, ordered by time, holds the next row of each, and taking one puts the row
-- after it of the same stream in. Years before a grant begins are no streams, so they cost nothing;
-- rows of the grant's first year before its date are looked at and passed over. Where the page is not
-- full, the merge runs once more to find where the look ended.
with recursive {prospect_streams},
merged (added_at, id, crash_date, county_fips, from_date, crash_year) as not materialized (
  select prospect.added_at, prospect.id, prospect.crash_date, stream.county_fips, stream.from_date, stream.crash_year
  from stream cross join prospects as prospect indexed by prospects_by_county
  where prospect.crash_county_fips = stream.county_fips and prospect.crash_year = stream.crash_year
    and (prospect.added_at, prospect.id) = (
      select first.added_at, first.id from prospects as first indexed by prospects_by_county
      where first.crash_county_fips = stream.county_fips and first.crash_year = stream.crash_year
        and (first.added_at, first.id) > (:after_at, {unhex:after_id}) and first.added_at <= {prospect_horizon}
      order by first.added_at, first.id limit 1)
  union all
  select prospect.added_at, prospect.id, prospect.crash_date, merged.county_fips, merged.from_date, merged.crash_year
  from merged cross join prospects as prospect indexed by prospects_by_county
  where prospect.crash_county_fips = merged.county_fips and prospect.crash_year = merged.crash_year
    and (prospect.added_at, prospect.id) = (
      select next.added_at, next.id from prospects as next indexed by prospects_by_county
      where next.crash_county_fips = merged.county_fips and next.crash_year = merged.crash_year
        and (next.added_at, next.id) > (merged.added_at, merged.id) and next.added_at <= {prospect_horizon}
      order by next.added_at, next.id limit 1)
  order by 1, 2
  limit :look_rows
),
page (id, is_shown, ends_look) as not materialized (
  select id, 1, 0 from merged where crash_date >= from_date
  union all
  select * from (select id, 0, 1 from merged limit 1 offset :look_rows - 1)
  limit :rows
)
select {pack}{hex:prospect.id}, {columns:prospect_fields:prospect}, prospect.added_at,
  page.is_shown, page.ends_look{end_pack}
from page cross join prospects as prospect on prospect.id = page.id

