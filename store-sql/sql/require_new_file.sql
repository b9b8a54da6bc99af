-- require_new_file: fails the batch if an import of the same file goes on.
insert into stale_read (hit) select 'import' from imports indexed by imports_by_account
where account_id = (select id from accounts where public_id = {unhex:account}) and digest = :digest and ended_at is null
limit 1
