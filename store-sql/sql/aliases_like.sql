-- aliases_like: the aliases of an account that may have a text, up to :rows.
select {pack}{hex:client_id}, external_id{end_pack}
from client_aliases indexed by client_aliases_by_external_id
where account_id = (select id from accounts where public_id = {unhex:account}) and removed_in is null
  and external_id like :pattern
limit :rows
