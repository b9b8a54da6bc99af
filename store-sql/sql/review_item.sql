-- review_item: one item, whether or not it still waits, as a row of review_page.
select {pack}{hex:item.id}, item.number, item.status, item.message, item.sent, {hex:item.content}, item.candidates,
  item.name_hash, {hex:item.request_id}, {hex:item.import_id}, item.first_seen_at, item.last_seen_at, {hex:item.api_key_id},
  {hex:item.login_id}, null, item.waits{end_pack}
from review_items as item
where item.account_id = (select id from accounts where public_id = {unhex:account}) and item.id = {unhex:id}
  and item.last_seen_at >= :seen_since
