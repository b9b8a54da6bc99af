-- forget_imports: deletes imports of an account beyond its :kept newest, a few at a time. Each begin adds one.
delete from imports where id in (
  select id from imports indexed by imports_by_account
  where account_id = (select id from accounts where public_id = {unhex:account})
  order by started_at desc, id desc limit 8 offset :kept)
