-- similar_of_clients: the clients that may be the same person as one of these.
select {pack}{hex:pair.client_id}, {hex:pair.other_id}, pair.reasons{end_pack}
from {each} similar_pairs as pair
where pair.account_id = @account_id and pair.client_id = {unhex:id} and pair.decision is not 'different'
union all
select {pack}{hex:pair.other_id}, {hex:pair.client_id}, pair.reasons{end_pack}
from {each} similar_pairs as pair indexed by similar_pairs_by_other
where pair.account_id = @account_id and pair.other_id = {unhex:id} and pair.decision is not 'different'
