-- drop_similar_pairs: deletes undecided pairs that a comparison did not find.
delete from similar_pairs
where account_id = (select id from accounts where public_id = {unhex:account}) and decision is null
  and hex(client_id) || hex(other_id) not in (select value from json_each(:found))
