-- decided_item: the item about which a request decided, and whether it waits, while that is as the request left it.
select {hex:id} as id, waits from review_items indexed by review_items_decided
where account_id = (select id from accounts where public_id = {unhex:account}) and decided_in = {unhex:request}
