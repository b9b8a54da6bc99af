-- require_key: fails the batch if the key does not exist.
insert into stale_read (hit) select 'key' where not exists (
  select 1 from api_keys where id = {unhex:id})
