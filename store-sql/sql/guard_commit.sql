-- guard_commit: fails the batch when something that the decision saw, or would see now, has changed
-- since the account's commit at :read_at. For what record_commit has no room for.
insert into stale_read (hit)
{stale}
