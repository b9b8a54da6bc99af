-- begin_commit: sets the time of the commit, later than the previous one.
update accounts set last_commit_at = max(:now, last_commit_at + 1) where id = :account_id
