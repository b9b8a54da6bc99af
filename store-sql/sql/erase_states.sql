-- erase_states: deletes every earlier state of a client. An account has few such rows, because they are
-- pruned as they age.
delete from client_states where account_id = :account_id and id = {unhex:client}
