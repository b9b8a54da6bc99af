-- update_whole_clients: updates clients where a lookup column changes too (external_id, name or place),
-- or where a stored value becomes null.
update {rows_only}or fail {end_only}clients set
  {assignments:client_fields}, name_hash = iif(:is_anew, :name_hash, clients.name_hash),
  place_hash = iif(:is_anew, :place_hash, clients.place_hash), fingerprint = {unhex:fingerprint},
  previous_updated_at = iif(@forgets_states, null, clients.updated_at), updated_at = {commit_at}
{from_each} and clients.account_id = :account_id and clients.id = {unhex:id}
