-- account_import: the import of an account, if it is one.
select import.digest, import.row_count, import.received_rows, import.received_digest, import.is_suspended,
  import.revokes_keys, import.ended_at is not null as is_done
from accounts as account left join account_imports as import on import.account_id = account.id
where account.public_id = {unhex:account}
