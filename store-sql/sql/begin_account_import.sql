-- begin_account_import: begins an import, also where an earlier one was discarded.
insert into account_imports (account_id, digest, row_count, received_rows, received_digest, is_suspended, revokes_keys)
values ((select id from accounts where public_id = {unhex:account}), :digest, :row_count, 0, :received_digest,
  :is_suspended, :revokes_keys)
on conflict (account_id) do update set digest = excluded.digest, row_count = excluded.row_count,
  received_digest = excluded.received_digest, is_suspended = excluded.is_suspended,
  revokes_keys = excluded.revokes_keys
