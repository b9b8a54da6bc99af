-- review_page: what waits for review, before a place, the latest seen first, each with who sent it and those of its
-- candidates that are there. An undo may have removed one, and another undo may bring it back.
select {pack}{hex:item.id}, item.number, item.status, item.message, item.sent, {hex:item.content},
  (select json_group_array(in_the_way.value) || '' from json_each(item.candidates) as in_the_way where exists (
    select 1 from clients as client
    where client.account_id = item.account_id and client.id = unhex(in_the_way.value))),
  item.name_hash, {hex:item.request_id}, {hex:item.import_id}, item.first_seen_at, item.last_seen_at, {hex:item.api_key_id},
  {hex:item.login_id}, coalesce(key.label, key.last_four, login.email){end_pack}
from review_items as item indexed by review_items_by_number
  left join api_keys as key on key.id = item.api_key_id
  left join logins as login on login.id = item.login_id
where item.account_id = (select id from accounts where public_id = {unhex:account}) and item.number < :before
  and item.waits and item.last_seen_at >= :seen_since
order by item.number desc limit :rows
