-- met_settlements: the settlements of every client that a settling want meets.
select hex(settlement.id) as id, hex(settlement.client_id) as client_id, settlement.settled_on,
  settlement.former_dates, settlement.begun_at, settlement.changed_at
from {each} clients as client indexed by clients_by_external_id
  cross join settlements as settlement on settlement.account_id = client.account_id and settlement.client_id = client.id
where client.account_id = {account} and client.external_id = :external_id
union all
select hex(settlement.id), hex(settlement.client_id), settlement.settled_on, settlement.former_dates,
  settlement.begun_at, settlement.changed_at
from {each} clients as client indexed by clients_by_person
  cross join settlements as settlement on settlement.account_id = client.account_id and settlement.client_id = client.id
where client.account_id = {account} and client.name_hash = :name_hash and client.place_hash = :place_hash
union all
select hex(settlement.id), hex(settlement.client_id), settlement.settled_on, settlement.former_dates,
  settlement.begun_at, settlement.changed_at
from {each} clients as client indexed by clients_by_person
  cross join settlements as settlement on settlement.account_id = client.account_id and settlement.client_id = client.id
where :place_hash is null and client.account_id = {account} and client.name_hash = :name_hash
