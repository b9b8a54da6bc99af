-- decide_review_item: an item no longer waits, until other content comes or the decision is undone.
update review_items set waits = 0, decided_in = {unhex:request_id} where account_id = :account_id and id = {unhex:id}
