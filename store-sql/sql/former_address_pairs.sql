-- former_address_pairs: pairs of clients with one name of which one (resident) lives where the other (mover) lived before
-- and does not live now. A missing unit tells nothing apart.
with mover (account_id, id, name_hash, former_zip5, former_street, former_unit, zip5, street_hash, unit_hash) as (
  select client.account_id, client.id, client.name_hash, former.zip5, former.street_hash, abs(former.unit_hash),
    client.zip5, client.street_hash, abs(client.unit_hash)
  from former_addresses as former
  cross join clients as client on client.account_id = former.account_id and client.id = former.client_id
  where former.account_id = (select id from accounts where public_id = {unhex:account})
)
select {pack}{hex:mover.id}, {hex:resident.id}{end_pack}
from mover cross join clients as resident indexed by clients_without_external_id
where resident.account_id = mover.account_id and resident.name_hash = mover.name_hash
  and resident.external_id is null
  and resident.zip5 = former_zip5 and resident.street_hash = former_street
  and (resident.unit_hash = 0 or former_unit = 0 or abs(resident.unit_hash) = former_unit)
  and (resident.zip5, resident.street_hash, abs(resident.unit_hash)) is not (mover.zip5, mover.street_hash, mover.unit_hash)
union all
select {pack}{hex:mover.id}, {hex:resident.id}{end_pack}
from mover cross join clients as resident indexed by clients_with_external_id
where resident.account_id = mover.account_id and resident.name_hash = mover.name_hash
  and resident.external_id is not null
  and resident.zip5 = former_zip5 and resident.street_hash = former_street
  and (resident.unit_hash = 0 or former_unit = 0 or abs(resident.unit_hash) = former_unit)
  and (resident.zip5, resident.street_hash, abs(resident.unit_hash)) is not (mover.zip5, mover.street_hash, mover.unit_hash)
limit :rows
