-- insert_prospect_tombstone: keeps the source id of an erased prospect as a tombstone.
insert into prospect_tombstones (source_id) select source_id from prospects where id = {unhex:prospect}
