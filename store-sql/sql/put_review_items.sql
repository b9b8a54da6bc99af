-- put_review_items: keeps clients that were not saved. One that is kept with the same content is written again only if
-- its message or its candidates differ, or if it was last seen at :seen_before or earlier.
insert into review_items (account_id, id, number, status, message, sent, content, candidates, name_hash, request_id,
  api_key_id, login_id, import_id, first_seen_at, last_seen_at)
{values_each} @account_id, {unhex:id},
  :place + coalesce((select max(number) from review_items where account_id = @account_id), 0), :status, :message, :sent,
  {unhex:content}, :candidates, :name_hash, {unhex:@request_id}, {unhex:@api_key_id}, {unhex:@login_id},
  {unhex:@import_id}, @now, @now
{end_each}
on conflict (account_id, id) do update set
  number = excluded.number, status = excluded.status, message = excluded.message, sent = excluded.sent,
  candidates = excluded.candidates, name_hash = excluded.name_hash, request_id = excluded.request_id,
  api_key_id = excluded.api_key_id, login_id = excluded.login_id, import_id = excluded.import_id,
  first_seen_at = iif(content = excluded.content, first_seen_at, excluded.first_seen_at), content = excluded.content,
  last_seen_at = excluded.last_seen_at, waits = iif(content = excluded.content, waits, 1),
  decided_in = iif(content = excluded.content, decided_in, null)
where review_items.content <> excluded.content or review_items.last_seen_at <= @seen_before
  or review_items.message <> excluded.message or review_items.candidates <> excluded.candidates
  or review_items.status <> excluded.status
