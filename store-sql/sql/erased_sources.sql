-- erased_sources: which of some source ids belonged to erased prospects.
select tombstone.source_id from {each} prospect_tombstones as tombstone
where tombstone.source_id = :source_id
