-- sweep_states: deletes states that no request can read any more, among the rows between the pruning
-- cursor's old position and the one that begin_commit set.
delete from client_states
where account_id = :account_id and (updated_at, id) > (:swept_at, {unhex:swept_id})
  and (updated_at, id) <= (select min(swept_at, :dead_before), swept_id from accounts where id = :account_id)
  and superseded_at <= :dead_before
