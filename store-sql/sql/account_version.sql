-- account_version: the version of an account.
select id as account_number, last_commit_at, last_erasure_at, swept_at, {hex:swept_id} as swept_id from accounts
where public_id = {unhex:account}
