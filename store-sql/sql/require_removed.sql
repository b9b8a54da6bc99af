-- require_removed: fails the batch if a client is not among the removed ones.
insert into stale_read (hit) select 'client' from json_each(:client_ids) as wanted where not exists (
  select 1 from removed_clients as removed
  where removed.account_id = (select id from accounts where public_id = {unhex:account})
    and removed.id = unhex(wanted.value)
    and not exists (select 1 from clients as back where back.account_id = removed.account_id and back.id = removed.id))
