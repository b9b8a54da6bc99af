-- removed_client: the fields of a client that an undo removed.
select {columns:client_fields:removed} from removed_clients as removed
where removed.account_id = (select id from accounts where public_id = {unhex:account}) and removed.id = {unhex:client}
