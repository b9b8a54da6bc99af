-- decide_similar_pair: keeps a decision, or takes it back.
update similar_pairs set decision = :decision, decided_at = :decided_at, decided_by = :decided_by
where account_id = (select id from accounts where public_id = {unhex:account})
  and client_id = {unhex:client} and other_id = {unhex:other}
