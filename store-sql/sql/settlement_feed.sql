-- settlement_feed: an account's settlements by last change, after a cursor, each with the current state
-- of its client.
select {pack}{hex:settlement.id}, {hex:client.id}, {columns:settlement_client_fields:client},
  settlement.settled_on, settlement.begun_at, settlement.changed_at, client.do_not_mail{end_pack}
from settlements as settlement indexed by settlements_by_change
  cross join clients as client on client.account_id = settlement.account_id and client.id = settlement.client_id
where settlement.account_id = (select id from accounts where public_id = {unhex:account})
  and (settlement.changed_at, settlement.id) > (:after_at, {unhex:after_id})
order by settlement.changed_at, settlement.id limit :rows
