-- taken_rows: whether something here has an id or a digest of rows that are to be imported, or another account has a
-- login that they name.
select 1 as is_taken where exists (
    select 1 from json_each(:ids) as row cross join logins on logins.id = unhex(row.value))
  or exists (select 1 from json_each(:ids) as row cross join api_keys on api_keys.id = unhex(row.value))
  or exists (select 1 from json_each(:digests) as row cross join api_keys on api_keys.digest = row.value)
  or exists (select 1 from json_each(:ids) as row cross join passkeys on passkeys.credential_id = unhex(row.value))
  or exists (select 1 from json_each(:ids) as row cross join passkeys on passkeys.id = unhex(row.value))
  or exists (select 1 from json_each(:ids) as row cross join imports on imports.id = unhex(row.value))
  or exists (
    select 1 from json_each(:logins) as row cross join logins on logins.id = unhex(row.value)
    where logins.account_id <> (select id from accounts where public_id = {unhex:account}))
