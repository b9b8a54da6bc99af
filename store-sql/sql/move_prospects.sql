-- move_prospects: updates prospects whose county or crash date was corrected.
update prospects set crash_county_fips = :crash_county_fips, crash_date = :crash_date, crash_year = :crash_year
{from_each} and prospects.id = {unhex:id}
