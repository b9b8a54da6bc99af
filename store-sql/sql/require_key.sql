-- require_key: fails the batch when there is no such key.
insert into stale_read (hit) select 'key' where not exists (
  select 1 from api_keys where id = {unhex:id})
