-- lookup_clients: every client that a key matches by external_id, or otherwise by name and place, once
-- for each matching key. Settlements are included if the request needs them. It is one statement, for
-- hosts where each statement is a round trip. Keys come in groups, each key as one text
-- (src/change/lookup.rs); the matches of a group return as one value. A client whose fingerprint equals
-- the key's returns without its fields.
select (
  select '[' || coalesce(group_concat(
    case when client.fingerprint = unhex(substr(key_text.value, 1, 32))
    then json_array(key_text.number, hex(client.id), client.created_at, client.updated_at, {settlements}, 1)
    else json_array(key_text.number, hex(client.id), client.created_at, client.updated_at, {settlements}, 0,
      {columns:client_fields:client})
    end), '') || ']'
  from (
      select cast(:first_key + :group_keys * key_groups.key as integer) + key as number, value
      from json_each(key_groups.value)) as key_text
    left join clients as known indexed by clients_by_external_id
      on known.account_id = key.account_id and known.external_id = substr(key_text.value, 65)
    left join clients as namesake indexed by clients_by_person
      on namesake.account_id = key.account_id
      and namesake.name_hash = iif(known.id is null, cast(substr(key_text.value, 33, 16) as integer), null)
      and namesake.place_hash = cast(substr(key_text.value, 49, 16) as integer)
    cross join clients as client
      on client.account_id = key.account_id and client.id = coalesce(known.id, namesake.id)) as packed
from api_keys as key cross join json_each(:key_groups) as key_groups
where key.digest = :key and key.revoked_at is null
