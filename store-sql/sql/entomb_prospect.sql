-- entomb_prospect: remembers the source id of a prospect that is being erased.
insert into prospect_tombstones (source_id) select source_id from prospects where id = {unhex:prospect}
