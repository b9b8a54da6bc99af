-- account_version: the version of an account.
select id as account_number, last_commit_at, last_erasure_at, last_alias_at from accounts
where public_id = {unhex:account}
