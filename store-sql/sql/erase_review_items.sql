-- erase_review_items: deletes the items of an erased client: those with these ids or its name, and those that it is a
-- candidate of. It reads the account's items, which are bounded.
delete from review_items
where account_id = :account_id and (
  id in (select unhex(value) from json_each(:ids)) or name_hash = :name_hash or instr(candidates, :client) > 0)
