-- settlement_feed: an account's settlements by last change, after a cursor, each with the current state
-- of its client, and whether another client that may be the same person gets no letters.
select {pack}{hex:settlement.id}, {hex:client.id}, {columns:settlement_client_fields:client},
  settlement.settled_on, settlement.begun_at, settlement.changed_at, client.do_not_mail,
  exists (
    select 1 from similar_pairs as pair
      cross join clients as other on other.account_id = pair.account_id and other.id = pair.other_id
    where pair.account_id = settlement.account_id and pair.client_id = client.id
      and pair.decision is not 'different' and other.do_not_mail)
  or exists (
    select 1 from similar_pairs as pair indexed by similar_pairs_by_other
      cross join clients as other on other.account_id = pair.account_id and other.id = pair.client_id
    where pair.account_id = settlement.account_id and pair.other_id = client.id
      and pair.decision is not 'different' and other.do_not_mail){end_pack}
from settlements as settlement indexed by settlements_by_change
  cross join clients as client on client.account_id = settlement.account_id and client.id = settlement.client_id
where settlement.account_id = (select id from accounts where public_id = {unhex:account})
  and (settlement.changed_at, settlement.id) > (:after_at, {unhex:after_id})
order by settlement.changed_at, settlement.id limit :rows
