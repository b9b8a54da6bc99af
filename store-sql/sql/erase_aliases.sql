-- erase_aliases: deletes the aliases of an erased client.
delete from client_aliases where account_id = :account_id and client_id = {unhex:client}
