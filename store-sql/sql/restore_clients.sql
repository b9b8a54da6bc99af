-- restore_clients: inserts clients that had been removed, with their id and time of creation.
insert into clients (account_id, id, {columns:client_fields}, created_at, updated_at, request_id, matched_by,
  name_hash, street_hash, unit_hash, zip5, fingerprint)
{values_each} @account_id, {unhex:id}, {parameters:client_fields}, :created_at, {commit_at}, {unhex:@request_id}, 0,
  :name_hash, :street_hash, :unit_hash, :zip5, {unhex:fingerprint}
{end_each}
