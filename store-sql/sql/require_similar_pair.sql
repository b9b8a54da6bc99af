-- require_similar_pair: fails the batch if the account keeps no such pair.
insert into stale_read (hit) select 'pair' where not exists (
  select 1 from similar_pairs
  where account_id = (select id from accounts where public_id = {unhex:account})
    and client_id = {unhex:client} and other_id = {unhex:other})
