-- log_page: the operator's log entries after a cursor. In "order by", an unqualified id would mean the
-- returned column, and SQLite would sort.
select {hex:id} as id, at, actor, action, subject, {hex:request_id} as request_id from operator_log
where (at, id) > (:after_at, {unhex:after_id})
order by at, operator_log.id limit :rows
