-- lookup_by_person: the clients with a name, street and ZIP: the oldest @namesakes_max without an external_id
-- and as many with one. It returns none if the key's own external_id is known.
-- A row at a time joins the ids. For a list of them, SQLite would make a table for each key.
select {pack}{matched_client}{end_pack}
from {sets_only}{each} clients as client where client.account_id = {account} and client.id in {end_only}(
    select id from (
      select id from clients indexed by clients_without_external_id
      where account_id = {account} and name_hash = :name_hash and zip5 = :zip5 and street_hash = :street_hash
        and (unit_hash <= 0 and :unit_hash <= 0 or abs(unit_hash) = abs(:unit_hash)) and external_id is null
      order by created_at, id limit @namesakes_max)
    union all
    select id from (
      select id from clients indexed by clients_with_external_id
      where account_id = {account} and name_hash = :name_hash and zip5 = :zip5 and street_hash = :street_hash
        and (unit_hash <= 0 and :unit_hash <= 0 or abs(unit_hash) = abs(:unit_hash))
        and external_id is not null
      order by created_at, id limit @namesakes_max))
  {rows_only}as found cross join clients as client where client.account_id = {account} and client.id = found.id{end_only}
  and not exists (select 1 from clients as known indexed by clients_by_external_id
    where known.account_id = {account} and known.external_id = :external_id)
