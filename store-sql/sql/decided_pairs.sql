-- decided_pairs: the pairs of an account with a decision.
select {pack}{hex:client_id}, {hex:other_id}{end_pack} from similar_pairs
where account_id = (select id from accounts where public_id = {unhex:account}) and decision is not null
order by client_id, other_id
