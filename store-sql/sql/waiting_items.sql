-- waiting_items: the items with these ids that an account keeps.
select {hex:item.id} as id from {each} review_items as item
where item.account_id = {account} and item.id = {unhex:id}
