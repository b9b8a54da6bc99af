-- forget_sessions: deletes a few sessions that have ended, those first that were not used for the longest time.
delete from sessions where digest in (
  select digest from sessions indexed by sessions_by_use where used_at <= :used_before order by used_at limit 8)
