-- met_clients: every client that a want meets, once for each want that meets it, with its settlements
-- where they are wanted: by the external id; or else by name and place, or by name where there is no
-- place, then perhaps only of those without an external id. Of a client that is just as its want
-- says, a set returns the want's number and no field. A set returns everybody whom external ids find in
-- one row; whom a name meets may be many, so they have a row each.
{with_each}
select {sets_only}'[' || coalesce(group_concat({end_only}{met_client}{sets_only}), '') || ']' as packed{end_only}
from {each} clients as client indexed by clients_by_external_id
where {rows_only}:external_id is not null and {end_only}client.account_id = {account}
  and client.external_id = :external_id
union all
select {sets_only}'[' || {end_only}{met_client}{sets_only} || ']'{end_only}
from {each} clients as client indexed by clients_by_person
where {rows_only}:name_hash is not null and :place_hash is not null and {end_only}client.account_id = {account}
  and client.name_hash = :name_hash and client.place_hash = :place_hash
  and {is_not_known_by_external_id}
union all
select {sets_only}'[' || {end_only}{met_client}{sets_only} || ']'{end_only}
from {each} clients as client indexed by clients_by_person
where @looks_by_name and :place_hash is null and client.account_id = {account} and client.name_hash = :name_hash
  and {is_not_known_by_external_id}
  and (not :without_external_id or client.external_id is null)
