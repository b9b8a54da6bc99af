-- letters_on: who turned a client's letters on again, oldest first.
select at, actor, reason from letters_on
where account_id = (select id from accounts where public_id = {unhex:account}) and client_id = {unhex:client}
order by at
