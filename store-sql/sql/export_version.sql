-- export_version: what changes with the account: its last commit, and the last entry of its log.
select account.suspended, account.last_commit_at, (
    select max(at) from operator_log indexed by operator_log_by_account where account_id = account.id
  ) as last_entry_at, exists (
    select 1 from account_imports where account_id = account.id and ended_at is null) as is_importing
from accounts as account where account.public_id = {unhex:account}
