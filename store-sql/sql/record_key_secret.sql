-- record_key_secret: records that a key was made with a secret. "where true" lets SQLite parse the conflict
-- clause.
insert into key_secrets (check_value) select :secret where true on conflict do nothing
