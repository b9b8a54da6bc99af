-- settlements_of_client: the settlements of a client as a JSON array.
select json_group_array(json_array(hex(settlement.id), settlement.settled_on, json(settlement.former_dates),
  settlement.begun_at, settlement.changed_at)) as settlements
from settlements as settlement
where settlement.account_id = (select id from accounts where public_id = {unhex:account})
  and settlement.client_id = {unhex:client}
