-- end_account_import: ends an import.
update account_imports set ended_at = :at
where account_id = (select id from accounts where public_id = {unhex:account})
