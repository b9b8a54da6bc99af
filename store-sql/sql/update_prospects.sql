-- update_prospects: updates prospects, except for indexed columns.
update prospects set
  {assignments:plain_prospect_fields}
{from_each} and prospects.id = {unhex:id}
