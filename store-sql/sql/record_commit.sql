-- record_commit: keeps which request made the commit, and with which key. It fails, and the batch
-- with it, for a request that was applied already, and when something that the decision saw, or
-- would see now, has changed since the account's commit at :read_at: a commit has a time.
insert into commits (account_id, request_id, attempt, at, api_key_id)
select id, {unhex:request_id}, :attempt, case when exists (
{stale}
) then null else last_commit_at end, {unhex:api_key_id}
from accounts where id = :account_id
