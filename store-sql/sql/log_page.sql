-- log_page: the operator's log entries before a cursor, the newest first. In "order by", an unqualified id would
-- mean the returned column, and SQLite would sort.
select {hex:id} as id, at, actor, action, subject, {hex:request_id} as request_id from operator_log
where (at, id) < (:before_at, {unhex:before_id})
order by at desc, operator_log.id desc limit :rows
