-- due_accounts: accounts that have a commit that no comparison saw, and were not compared since a time.
select {hex:public_id} as account from accounts
where last_commit_at > coalesce(compared_until, 0) and coalesce(compared_at, 0) <= :compared_before
order by compared_at limit :rows
