-- removed_external_id: the external_id of a client that an undo removed.
select external_id from removed_clients
where account_id = (select id from accounts where public_id = {unhex:account}) and id = {unhex:client}
