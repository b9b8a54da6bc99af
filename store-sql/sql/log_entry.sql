-- log_entry: writes the operator's log entry in the same batch as the command.
insert into operator_log (at, id, actor, action, subject, request_id)
values (:at, {unhex:id}, :actor, :action, :subject, {unhex:request_id})
