-- guard_import: fails the batch if prospects have changed since :read_at.
insert into stale_read (hit) select 'prospects' from prospect_clock where id = 1 and last_change_at > :read_at
