-- insert_tombstones: keeps digests of an erased client's identities as tombstones. If two erased
-- clients share an identity, do_not_mail is set if either had it (rule D3).
insert into client_tombstones (account_id, identity, do_not_mail)
{values_each} @account_id, {unhex:identity}, :do_not_mail
{end_each}
on conflict (account_id, identity) do update set do_not_mail = max(do_not_mail, excluded.do_not_mail)
