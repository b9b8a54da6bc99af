-- erase_settlements: deletes a client's settlements.
delete from settlements where account_id = :account_id and client_id = {unhex:client}
