-- create_prospects: inserts prospects.
insert into prospects (id, {columns:prospect_fields}, crash_year, added_at)
{values_each} {unhex:id}, {parameters:prospect_fields}, :crash_year, (select last_change_at from prospect_clock where id = 1)
{end_each}
