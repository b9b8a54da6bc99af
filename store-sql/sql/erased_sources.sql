-- erased_sources: those of the given source ids that belonged to erased prospects.
select tombstone.source_id from {each} prospect_tombstones as tombstone
where tombstone.source_id = :source_id
