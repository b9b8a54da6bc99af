-- alias_holder: the client that has an external_id as an alias.
select {hex:client_id} as id from client_aliases indexed by client_aliases_by_external_id
where account_id = (select id from accounts where public_id = {unhex:account}) and external_id = :external_id
  and removed_in is null
