-- turn_review_items: what a request decided waits again; or, where it made it wait again, no longer waits.
update review_items indexed by review_items_decided set waits = not waits, decided_in = {unhex:undo}
where account_id = :account_id and decided_in = {unhex:request}
