-- has_more_clients: whether an account has more than :rows clients.
select 1 as has_more from clients indexed by clients_by_update
where account_id = (select id from accounts where public_id = {unhex:account})
limit 1 offset :rows
