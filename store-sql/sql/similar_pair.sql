-- similar_pair: the two rows of similar_page for one pair.
select {pack}{hex:pair.client_id}, {hex:pair.other_id}, pair.reasons, pair.found_at, pair.decision, pair.decided_at,
  pair.decided_by, {hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at{end_pack}
from similar_pairs as pair cross join clients as client
  on client.account_id = pair.account_id and client.id in (pair.client_id, pair.other_id)
where pair.account_id = (select id from accounts where public_id = {unhex:account})
  and pair.client_id = {unhex:client} and pair.other_id = {unhex:other}
