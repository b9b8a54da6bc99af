-- met_clients: every client that a want meets by its external_id, or else by name and place, once for
-- each want that meets it, with its settlements where they are wanted. In one statement, for hosts to
-- which each is a journey: the wants come in groups, each want as one text (change/wanted.rs), and whom
-- a group meets goes back as one value. Of a client that is just as its want says, it holds no field.
select (
  select '[' || coalesce(group_concat(
    case when client.fingerprint = unhex(substr(want.value, 1, 32))
    then json_array(want.number, hex(client.id), client.created_at, client.updated_at, {settlements}, 1)
    else json_array(want.number, hex(client.id), client.created_at, client.updated_at, {settlements}, 0,
      {columns:client_fields:client})
    end), '') || ']'
  from (
      select cast(:first_want + :group_wants * wants.key as integer) + key as number, value
      from json_each(wants.value)) as want
    left join clients as known indexed by clients_by_external_id
      on known.account_id = key.account_id and known.external_id = substr(want.value, 65)
    left join clients as namesake indexed by clients_by_person
      on namesake.account_id = key.account_id
      and namesake.name_hash = iif(known.id is null, cast(substr(want.value, 33, 16) as integer), null)
      and namesake.place_hash = cast(substr(want.value, 49, 16) as integer)
    cross join clients as client
      on client.account_id = key.account_id and client.id = coalesce(known.id, namesake.id)) as packed
from api_keys as key cross join json_each(:wants) as wants
where key.digest = :key and key.revoked_at is null
