-- count_similar_pairs: how many pairs of an account are undecided. Their number is bounded.
select count(*) as undecided from similar_pairs
where account_id = (select id from accounts where public_id = {unhex:account}) and decision is null
