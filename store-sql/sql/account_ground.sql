-- account_ground: where an account stands, and what a request left behind earlier.
select account.id, account.last_commit_at, account.last_erasure_at, account.swept_at, hex(account.swept_id) as swept_id,
  earlier.attempt
from accounts as account
  left join commits as earlier on earlier.account_id = account.id and earlier.request_id = unhex(:request_id)
where account.public_id = unhex(:account)
