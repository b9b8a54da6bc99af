-- similar_page: pairs of clients that may be one person, after a pair: those without a decision, or with :decided those
-- with one; with :letters those of which one client gets letters. Of each pair there are two rows, one for each client as
-- it is now.
with page (account_id, client_id, other_id, reasons, found_at, decision, decided_at, decided_by) as materialized (
  select account_id, client_id, other_id, reasons, found_at, decision, decided_at, decided_by from similar_pairs as pair
  where account_id = (select id from accounts where public_id = {unhex:account})
    and (client_id, other_id) > ({unhex:after_client}, {unhex:after_other})
    and iif(:decided, decision is not null, decision is null or (:letters and decision = 'same'))
    and (not :letters or (decision is not 'different'
      and (select do_not_mail from clients where account_id = pair.account_id and id = pair.client_id)
        <> (select do_not_mail from clients where account_id = pair.account_id and id = pair.other_id)))
  order by client_id, other_id limit :rows
)
select {pack}{hex:page.client_id}, {hex:page.other_id}, page.reasons, page.found_at, page.decision, page.decided_at,
  page.decided_by, {hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at{end_pack}
from page cross join clients as client
  on client.account_id = page.account_id and client.id in (page.client_id, page.other_id)
