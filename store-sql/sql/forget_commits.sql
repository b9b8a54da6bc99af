-- forget_commits: deletes the records of commits from before :commits_before among the account's two first. A commit
-- adds one, so old ones get fewer. Request ids begin with their time, so the first ones are the oldest.
delete from commits
where account_id = :account_id and at < :commits_before and request_id in (
  select request_id from commits where account_id = :account_id order by account_id, request_id limit 2)
