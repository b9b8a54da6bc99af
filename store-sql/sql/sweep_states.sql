-- sweep_states: drops the states that nobody can be shown any more, among the rows between the
-- place where the pruning round stood and the place to which begin_commit moved it.
delete from client_states
where account_id = :account_id and (updated_at, id) > (:swept_at, {unhex:swept_id})
  and (updated_at, id) <= (select min(swept_at, :dead_before), swept_id from accounts where id = :account_id)
  and superseded_at <= :dead_before
