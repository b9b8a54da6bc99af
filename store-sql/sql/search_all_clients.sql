-- search_all_clients: the places of the clients of an account that may be looked for, in no order of use, up to :rows.
-- It reads the account from end to end: the index named is the primary key, which is the table. Clients in the order of
-- their change would each be looked up: at 100,000 of them that takes two to four times as long.
select {pack}{hex:candidate.id}, candidate.updated_at{end_pack}
from clients as candidate indexed by sqlite_autoindex_clients_1
where candidate.account_id = (select id from accounts where public_id = {unhex:account})
  and candidate.updated_at >= :changed_since and {client_is_found}
limit :rows
