-- log_entry: what the operator did, in the same batch.
insert into operator_log (at, id, actor, action, subject, request_id)
values (:at, {unhex:id}, :actor, :action, :subject, {unhex:request_id})
