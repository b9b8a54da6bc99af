-- forget_removed: deletes the record of a removed client.
delete from removed_clients
where account_id = (select id from accounts where public_id = {unhex:account}) and id = {unhex:client}
