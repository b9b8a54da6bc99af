-- require_prospect: fails the batch if the prospect does not exist.
insert into stale_read (hit) select 'prospect' where not exists (
  select 1 from prospects where id = {unhex:prospect})
