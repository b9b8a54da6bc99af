-- begin_import: sets the time of a change of prospects, later than the previous one.
update prospect_clock set last_change_at = max(:now, last_change_at + 1) where id = 1
