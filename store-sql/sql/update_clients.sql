-- update_clients: updates clients whose lookup columns are unchanged. Assigning an unchanged indexed
-- column would rewrite its index entry. A field without a value keeps its stored value.
update {rows_only}or fail {end_only}clients set
  {kept:plain_client_fields}, fingerprint = {unhex:fingerprint},
  previous_period = {commit_at} & @period_mask,
  previous_updated_at = iif(@period_mask is null, null, clients.updated_at), updated_at = {commit_at},
  request_id = {unhex:@request_id}, matched_by = :matched_by
{from_each} and clients.account_id = :account_id and clients.id = {unhex:id}
