-- log_page: what the operator did, after a place.
select hex(id), at, actor, action, subject, hex(request_id) from operator_log
where (at, id) > (:after_at, unhex(:after_id))
order by at, id limit :rows
