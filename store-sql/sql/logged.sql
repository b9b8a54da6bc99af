-- logged: whether a command was done: its entry is in the log.
select at from operator_log where at = :at and id = {unhex:id}
