-- begin_commit: gives the commit its time, later than the one before it, and moves the pruning
-- round on by :sweep_rows rows, to :end after the last one. A state that began at :dead_before or
-- later was superseded later still, so the round ends there.
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
