-- logged: whether a command took effect, that is, whether its log entry exists.
select at from operator_log where at = :at and id = {unhex:id}
