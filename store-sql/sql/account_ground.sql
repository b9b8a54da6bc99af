-- account_ground: where an account stands.
select id as account_number, last_commit_at, last_erasure_at, swept_at, {hex:swept_id} as swept_id from accounts
where public_id = {unhex:account}
