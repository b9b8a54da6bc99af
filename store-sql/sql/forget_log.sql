-- forget_log: deletes the two oldest entries of the operator log, where they are from before :log_before.
delete from operator_log where (at, id) in (
  select at, id from operator_log where at < :log_before order by at, id limit 2)
