-- update_clients: updates clients whose lookup columns are unchanged. Assigning an unchanged indexed
-- column would rewrite its index entry. A field without a value keeps its stored value.
update {rows_only}or fail {end_only}clients set
  {kept:plain_client_fields}, fingerprint = {unhex:fingerprint},
  previous_updated_at = iif(@forgets_states, null, clients.updated_at), updated_at = {commit_at}
{from_each} and clients.account_id = :account_id and clients.id = {unhex:id}
