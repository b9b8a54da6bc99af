-- record_commit: records which request made the commit, and with which key. It fails the batch if the
-- request was already applied, or if data that the decision read, or would read now, has changed since
-- the account's commit at :read_at: the time is then null, which the column refuses.
insert into commits (account_id, request_id, attempt, at, period, api_key_id, login_id, import_id, created, changed)
select id, {unhex:request_id}, :attempt, case when exists (
{stale}
) then null else last_commit_at end, last_commit_at & :period_mask, {unhex:api_key_id}, {unhex:login_id}, {unhex:import_id},
  :created, :changed
from accounts where id = :account_id
