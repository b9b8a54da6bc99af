-- update_prospects: changed prospects, but for the columns of an index.
update prospects set
  {assignments:plain_prospect_fields}
{from_each} and prospects.id = {unhex:id}
