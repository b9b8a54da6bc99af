-- update_clients: changed clients whose columns that matching looks up stay as they are: naming an
-- unchanged indexed column would write its index again. A field without a value stays as it is, too.
update {rows_only}or fail {end_only}clients set
  {kept:plain_client_fields}, fingerprint = {unhex:fingerprint},
  previous_updated_at = iif(@forgets_states, null, clients.updated_at), updated_at = {commit_at}
{from_each} and clients.account_id = :account_id and clients.id = {unhex:id}
