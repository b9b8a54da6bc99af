-- keep_similar_pairs: keeps pairs that a comparison found. One that is kept already keeps its time, and one with a
-- decision stays as it is.
insert into similar_pairs (account_id, client_id, other_id, reasons, found_at)
select (select id from accounts where public_id = {unhex:@account}), {unhex:client}, {unhex:other}, :reasons, @now
{from_each}
  and exists (select 1 from clients where id = {unhex:client}
    and account_id = (select id from accounts where public_id = {unhex:@account}))
  and exists (select 1 from clients where id = {unhex:other}
    and account_id = (select id from accounts where public_id = {unhex:@account}))
on conflict (account_id, client_id, other_id) do update set reasons = excluded.reasons
where similar_pairs.decision is null and similar_pairs.reasons <> excluded.reasons
