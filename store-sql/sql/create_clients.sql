-- create_clients: new clients.
insert into clients (account_id, id, {columns:client_fields}, created_at, updated_at, name_hash, place_hash,
  fingerprint)
{values_each} @account_id, {unhex:id}, {parameters:client_fields}, {commit_at}, {commit_at}, :name_hash, :place_hash,
  {unhex:fingerprint}
{end_each}
