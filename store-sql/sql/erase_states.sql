-- erase_states: takes away every earlier state of a client. The rows of one account's states are
-- few: they are pruned as they age.
delete from client_states where account_id = :account_id and id = {unhex:client}
