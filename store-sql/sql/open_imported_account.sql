-- open_imported_account: suspends the account no longer than its export says.
update accounts set suspended = (select is_suspended from account_imports where account_id = accounts.id)
where public_id = {unhex:account}
