-- update_whole_clients: updates clients where a lookup column changes too (external_id, name, street, unit or ZIP),
-- or where a stored value becomes null.
update {rows_only}or fail {end_only}clients set
  {assignments:client_fields}, name_hash = iif(:is_anew, :name_hash, clients.name_hash),
  street_hash = iif(:is_anew, :street_hash, clients.street_hash),
  unit_hash = iif(:is_anew, :unit_hash, clients.unit_hash), zip5 = iif(:is_anew, :zip5, clients.zip5),
  fingerprint = {unhex:fingerprint},
  previous_period = {commit_at} & @period_mask,
  previous_updated_at = iif(@period_mask is null, null, clients.updated_at), updated_at = {commit_at},
  request_id = {unhex:@request_id}, matched_by = :matched_by
{from_each} and clients.account_id = :account_id and clients.id = {unhex:id}
