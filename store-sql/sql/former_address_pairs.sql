-- former_address_pairs: the first :rows pairs, by their ids and without a decision, of clients with one name of which one
-- (resident) lives where the other (mover) lived before and does not live now. A missing unit tells nothing apart. Of the
-- clients at one former address, the oldest :residents_max without an external_id and as many with one are residents.
with mover (account_id, id, name_hash, former_zip5, former_street, former_unit, zip5, street_hash, unit_hash) as (
  select client.account_id, client.id, client.name_hash, former.zip5, former.street_hash, abs(former.unit_hash),
    client.zip5, client.street_hash, abs(client.unit_hash)
  from former_addresses as former
  cross join clients as client on client.account_id = former.account_id and client.id = former.client_id
  where former.account_id = (select id from accounts where public_id = {unhex:account})
),
moved (account_id, client_id, other_id) as (
  select distinct mover.account_id, min(mover.id, resident.id), max(mover.id, resident.id)
  from mover cross join clients as resident
  where resident.account_id = mover.account_id and resident.id in (
      select id from (
        select id from clients indexed by clients_without_external_id
        where account_id = mover.account_id and name_hash = mover.name_hash and external_id is null
          and zip5 = former_zip5 and street_hash = former_street
          and (unit_hash = 0 or former_unit = 0 or abs(unit_hash) = former_unit)
        order by created_at, id limit :residents_max)
      union all
      select id from (
        select id from clients indexed by clients_with_external_id
        where account_id = mover.account_id and name_hash = mover.name_hash and external_id is not null
          and zip5 = former_zip5 and street_hash = former_street
          and (unit_hash = 0 or former_unit = 0 or abs(unit_hash) = former_unit)
        order by created_at, id limit :residents_max))
    and ((resident.zip5, resident.street_hash) is not (mover.zip5, mover.street_hash)
      or resident.unit_hash <> 0 and mover.unit_hash <> 0 and abs(resident.unit_hash) <> mover.unit_hash)
)
select {pack}{hex:client_id}, {hex:other_id}{end_pack} from moved
where not exists (select 1 from similar_pairs as kept
  where kept.account_id = moved.account_id and kept.client_id = moved.client_id and kept.other_id = moved.other_id
    and kept.decision is not null)
order by client_id, other_id limit :rows
