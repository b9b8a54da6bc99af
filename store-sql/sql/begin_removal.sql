-- begin_removal: sets the time of a change of prospects after which some page no longer shows one that it showed: an erasure,
-- or a correction of a county or crash date.
update prospect_clock set
  last_change_at = max(:now, last_change_at + 1),
  last_removal_at = max(:now, last_change_at + 1)
where id = 1
