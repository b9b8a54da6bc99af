-- log_page: what the operator did, after a place. In "order by", a bare id would be the column that
-- is returned, and sorted.
select {hex:id} as id, at, actor, action, subject, {hex:request_id} as request_id from operator_log
where (at, id) > (:after_at, {unhex:after_id})
order by at, operator_log.id limit :rows
