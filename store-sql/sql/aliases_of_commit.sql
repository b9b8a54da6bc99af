-- aliases_of_commit: the aliases that a commit gave or took, each with whether it took it, whether its client has it now,
-- and another client that has it now, as its external_id or as an alias.
with changed (account_id, client_id, external_id, was_removed, is_live) as (
  select account_id, client_id, external_id, 0, removed_in is null
  from client_aliases indexed by client_aliases_by_addition
  where account_id = (select id from accounts where public_id = {unhex:account}) and added_in = {unhex:request}
  union all
  select account_id, client_id, external_id, 1, 0 from client_aliases indexed by client_aliases_by_removal
  where account_id = (select id from accounts where public_id = {unhex:account}) and removed_in = {unhex:request}
)
select {pack}{hex:changed.client_id}, changed.external_id, changed.was_removed, changed.is_live,
  {hex:client.id}, {hex:alias.client_id}{end_pack}
from changed
  left join clients as client indexed by clients_by_external_id
    on client.account_id = changed.account_id and client.external_id = changed.external_id
  left join client_aliases as alias indexed by client_aliases_by_external_id
    on alias.account_id = changed.account_id and alias.external_id = changed.external_id and alias.removed_in is null
