looked (id, is_shown, ends_look) as (
  select id, crash_date >= from_date, row_number() over () = :look_rows from merged
),
page (id, is_shown, ends_look) as (
  select id, is_shown, ends_look from looked where is_shown or ends_look limit :rows
)
select hex(prospect.id) as id, {columns:prospect_fields:prospect}, prospect.added_at, page.is_shown, page.ends_look
from page cross join prospects as prospect on prospect.id = page.id
