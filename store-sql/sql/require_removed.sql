-- require_removed: fails the batch if no undo removed the client.
insert into stale_read (hit) select 'client' where not exists (
  select 1 from removed_clients
  where account_id = (select id from accounts where public_id = {unhex:account}) and id = {unhex:client})
