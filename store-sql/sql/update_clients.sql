-- update_clients: changed clients whose columns that matching looks up stay as they are: naming an
-- unchanged indexed column would write its index again. A field without a value stays as it is, too.
update {rows_only}or fail {end_only}clients set
  {kept:plain_client_fields}, fingerprint = {unhex:fingerprint},
  previous_updated_at = iif(@keeps_states, clients.updated_at, null), updated_at = {commit_at}
{from_each} and clients.account_id = :account_id and clients.id = {unhex:id}
