-- activity: the log entries of an account before a place, the newest first.
select {hex:id} as id, at, actor, action, subject, {hex:request_id} as request_id
from operator_log indexed by operator_log_by_account
where account_id = (select id from accounts where public_id = {unhex:account})
  and (at, operator_log.id) < (:before_at, {unhex:before_id})
order by at desc, operator_log.id desc limit :rows
