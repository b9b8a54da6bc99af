-- update_clients: changed clients whose columns that matching looks up stay as they are: naming an
-- unchanged indexed column would write its index again.
update clients set
  {assignments:plain_client_fields},
  previous_updated_at = iif(@keeps_states, clients.updated_at, null), updated_at = {commit_at}
{from_each} and clients.account_id = :account_id and clients.id = unhex(:id)
