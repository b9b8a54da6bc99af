-- aliases_of_client: the external ids by which a client is found besides its own.
select external_id from client_aliases
where account_id = (select id from accounts where public_id = {unhex:account}) and client_id = {unhex:client}
  and removed_in is null
