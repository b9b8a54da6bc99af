-- erase_client: takes a client away.
delete from clients where account_id = :account_id and id = {unhex:client}
