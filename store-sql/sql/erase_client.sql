-- erase_client: deletes a client.
delete from clients where account_id = :account_id and id = {unhex:client}
