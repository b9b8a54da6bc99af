-- advance_account_import: says how many rows of an import are saved.
update account_imports set received_rows = :received_rows, received_digest = :received_digest
where account_id = (select id from accounts where public_id = {unhex:account})
