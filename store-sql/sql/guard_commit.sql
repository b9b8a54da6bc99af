-- guard_commit: fails the batch if data that the decision read, or would read now, has changed since
-- the account's commit at :read_at. It makes the checks that do not fit into record_commit.
insert into stale_read (hit)
{stale}
