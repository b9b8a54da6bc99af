-- begin_commit: sets the time of the commit, later than the previous one, and moves the pruning cursor
-- on by :sweep_rows rows, or to :end after the last row. A state that began at :dead_before or later
-- was superseded after that time, so the pruning round ends there.
update accounts set
  last_commit_at = max(:now, last_commit_at + 1),
  (swept_at, swept_id) = (
    select updated_at, id from (
      select updated_at, id from client_states
      where account_id = :account_id and (updated_at, id) > (:swept_at, {unhex:swept_id})
        and updated_at < :dead_before
      order by updated_at, id limit 1 offset :sweep_rows)
    union all
    select :end, x''
    limit 1)
where id = :account_id
