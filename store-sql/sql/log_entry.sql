-- log_entry: writes a log entry in the same batch as the command, with the account that it concerns: the one that
-- is given, or that of a login or a key.
insert into operator_log (at, id, actor, action, subject, request_id, account_id)
values (:at, {unhex:id}, :actor, :action, :subject, {unhex:request_id}, coalesce(
  (select id from accounts where public_id = {unhex:account}),
  (select account_id from logins where id = {unhex:login}),
  (select account_id from api_keys where id = {unhex:key})))
