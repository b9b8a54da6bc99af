-- require_prospect: fails the batch when there is no such prospect.
insert into stale_read (hit) select 'prospect' where not exists (
  select 1 from prospects where id = {unhex:prospect})
