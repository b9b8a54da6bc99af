-- require_account_import: fails the batch if the import has come further or has ended since it was read.
insert into stale_read (hit) select 'import' where not exists (
  select 1 from account_imports
  where account_id = (select id from accounts where public_id = {unhex:account})
    and received_rows = :received_rows and received_digest = :received_digest and ended_at is null)
