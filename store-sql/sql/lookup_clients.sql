-- lookup_clients: the client that a key matches by external_id, or otherwise one that it matches by name, street and
-- ZIP. If it matches another one too, the key's number is returned negative, less one: lookup_by_person reads them.
-- Settlements are included if the request needs them. It is one statement, for hosts where each statement is a round
-- trip. Keys come in groups, each key as one text (src/change/lookup.rs); the matches of a group return as one value.
-- A client whose fingerprint equals the key's returns without its fields.
select (
  select '[' || coalesce(group_concat(
    case when client.fingerprint = unhex(substr(key_text.value, 1, 32))
    then json_array(iif(known.id is null and 1 < (select count(*) from (
        select 1 from clients indexed by clients_without_external_id
        where account_id = key.account_id
          and name_hash = cast(substr(key_text.value, 33, 16) as integer)
          and zip5 = cast(substr(key_text.value, 82, 5) as integer)
          and street_hash = cast(substr(key_text.value, 49, 16) as integer)
          and (unit_hash <= 0 and cast(substr(key_text.value, 65, 17) as integer) <= 0
            or abs(unit_hash) = abs(cast(substr(key_text.value, 65, 17) as integer)))
          and external_id is null
        union all
        select 1 from clients indexed by clients_with_external_id
        where account_id = key.account_id
          and name_hash = cast(substr(key_text.value, 33, 16) as integer)
          and zip5 = cast(substr(key_text.value, 82, 5) as integer)
          and street_hash = cast(substr(key_text.value, 49, 16) as integer)
          and (unit_hash <= 0 and cast(substr(key_text.value, 65, 17) as integer) <= 0
            or abs(unit_hash) = abs(cast(substr(key_text.value, 65, 17) as integer)))
          and external_id is not null
        limit 2)), -1 - key_text.number, key_text.number),
      hex(client.id), client.created_at, client.updated_at, {settlements}, 1)
    else json_array(iif(known.id is null and 1 < (select count(*) from (
        select 1 from clients indexed by clients_without_external_id
        where account_id = key.account_id
          and name_hash = cast(substr(key_text.value, 33, 16) as integer)
          and zip5 = cast(substr(key_text.value, 82, 5) as integer)
          and street_hash = cast(substr(key_text.value, 49, 16) as integer)
          and (unit_hash <= 0 and cast(substr(key_text.value, 65, 17) as integer) <= 0
            or abs(unit_hash) = abs(cast(substr(key_text.value, 65, 17) as integer)))
          and external_id is null
        union all
        select 1 from clients indexed by clients_with_external_id
        where account_id = key.account_id
          and name_hash = cast(substr(key_text.value, 33, 16) as integer)
          and zip5 = cast(substr(key_text.value, 82, 5) as integer)
          and street_hash = cast(substr(key_text.value, 49, 16) as integer)
          and (unit_hash <= 0 and cast(substr(key_text.value, 65, 17) as integer) <= 0
            or abs(unit_hash) = abs(cast(substr(key_text.value, 65, 17) as integer)))
          and external_id is not null
        limit 2)), -1 - key_text.number, key_text.number),
      hex(client.id), client.created_at, client.updated_at, {settlements}, 0, {columns:client_fields:client})
    end), '') || ']'
  from (
      select cast(:first_key + :group_keys * key_groups.key as integer) + key as number, value
      from json_each(key_groups.value)) as key_text
    left join clients as known indexed by clients_by_external_id
      on known.account_id = key.account_id and known.external_id = substr(key_text.value, 87)
    cross join clients as client
      on client.account_id = key.account_id and client.id = coalesce(known.id, (
        select id from clients indexed by clients_without_external_id
        where known.id is null and account_id = key.account_id
          and name_hash = cast(substr(key_text.value, 33, 16) as integer)
          and zip5 = cast(substr(key_text.value, 82, 5) as integer)
          and street_hash = cast(substr(key_text.value, 49, 16) as integer)
          and (unit_hash <= 0 and cast(substr(key_text.value, 65, 17) as integer) <= 0
            or abs(unit_hash) = abs(cast(substr(key_text.value, 65, 17) as integer)))
          and external_id is null
        limit 1), (
        select id from clients indexed by clients_with_external_id
        where known.id is null and account_id = key.account_id
          and name_hash = cast(substr(key_text.value, 33, 16) as integer)
          and zip5 = cast(substr(key_text.value, 82, 5) as integer)
          and street_hash = cast(substr(key_text.value, 49, 16) as integer)
          and (unit_hash <= 0 and cast(substr(key_text.value, 65, 17) as integer) <= 0
            or abs(unit_hash) = abs(cast(substr(key_text.value, 65, 17) as integer)))
          and external_id is not null
        limit 1))) as packed
from api_keys as key cross join json_each(:key_groups) as key_groups
where key.digest = :key and key.revoked_at is null
