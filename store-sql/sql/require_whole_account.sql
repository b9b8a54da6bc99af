-- require_whole_account: fails the batch if the account does not exist or is being imported.
insert into stale_read (hit) select 'import' where not exists (
  select 1 from accounts as account
  where account.public_id = {unhex:account} and not exists (
    select 1 from account_imports where account_id = account.id and ended_at is null))
