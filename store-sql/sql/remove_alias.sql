-- remove_alias: takes an alias from a client. The row stays for the history.
update client_aliases set removed_in = {unhex:request_id}
where account_id = :account_id and client_id = {unhex:client_id} and external_id = :external_id and removed_in is null
