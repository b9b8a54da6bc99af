-- create_clients: inserts clients. "or fail" avoids a statement journal: to undo only this statement,
-- SQLite would copy each page that it changes.
insert {rows_only}or fail {end_only}into clients (account_id, id, {columns:client_fields}, created_at, updated_at,
  request_id, name_hash, street_hash, unit_hash, zip5, fingerprint)
{values_together} @account_id, {unhex:id}, {parameters:client_fields}, {commit_at}, {commit_at},
  {unhex:@request_id}, :name_hash, :street_hash, :unit_hash, :zip5, {unhex:fingerprint}
{end_each}
