-- remove_review_items: removes what waits for clients that came well.
delete from review_items
where account_id = :account_id and id in (select unhex(value) from json_each(:ids))
