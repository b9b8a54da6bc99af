-- require_account: fails the batch if the account does not exist.
insert into stale_read (hit) select 'account' where not exists (
  select 1 from accounts where public_id = {unhex:account})
