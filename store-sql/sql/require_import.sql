-- require_import: fails the batch if the import has come further or has ended since it was read.
insert into stale_read (hit) select 'import' where not exists (
  select 1 from imports
  where id = {unhex:import} and account_id = :account_id and sent_rows = :sent_rows and (ended_at is not null) = :has_ended)
