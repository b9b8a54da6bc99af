-- begin_import: gives a change of prospects its time, later than the one before it.
update prospect_clock set last_change_at = max(:now, last_change_at + 1) where id = 1
