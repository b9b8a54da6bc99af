-- known_prospects: the stored prospects with the given source ids.
select {hex:prospect.id} as id, {columns:prospect_fields:prospect}, prospect.added_at
from {each} prospects as prospect indexed by sqlite_autoindex_prospects_2
where prospect.source_id = :source_id
