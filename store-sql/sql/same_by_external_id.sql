-- same_by_external_id: the client with an external_id, if it is just as its want says, with its settlements
-- where they are wanted. It holds no field, so that none is read.
select {pack}:want, {hex:client.id}, client.created_at, client.updated_at, {settlements}, 1{end_pack}
from clients as client indexed by clients_by_external_id
where client.account_id = :account_id and client.external_id = :external_id
  and client.fingerprint = {unhex:fingerprint}
