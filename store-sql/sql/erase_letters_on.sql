-- erase_letters_on: deletes who turned a client's letters on again.
delete from letters_on where account_id = :account_id and client_id = {unhex:client}
