-- export_version: what changes with the account: its last commit, the last entry of its log, and how many entries there
-- are from the day up to it. An entry by a clock that is behind is not the last one.
select account.suspended, account.last_commit_at, last_entry_at, (
    select count(*) from operator_log indexed by operator_log_by_account
    where account_id = account.id and at > last_entry_at - 86400000000
  ) as entries, exists (
    select 1 from account_imports where account_id = account.id and ended_at is null) as is_importing
from (
  select *, (
    select max(at) from operator_log indexed by operator_log_by_account where account_id = accounts.id
  ) as last_entry_at
  from accounts where public_id = {unhex:account}
) as account
