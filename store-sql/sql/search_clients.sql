-- search_clients: of the first :scan_rows clients before a place, the newest change first, those that may be looked
-- for: one row more than the page holds; or fewer, up to the last row that the scan reads (ends_scan), whether or not
-- it is looked for. A client whose name has one of the hashes may have another name.
with scanned (account_id, updated_at, id) as not materialized (
  select account_id, updated_at, clients.id from clients indexed by clients_by_update
  where account_id = (select id from accounts where public_id = {unhex:account})
    and (updated_at, clients.id) < (:before_at, {unhex:before_id}) and updated_at >= :changed_since
  order by updated_at desc, clients.id desc limit :scan_rows
),
page (account_id, id, is_shown, ends_scan) as not materialized (
  select scanned.account_id, scanned.id, 1, 0
  from scanned cross join clients as candidate
    on candidate.account_id = scanned.account_id and candidate.id = scanned.id
  where {client_is_found}
  union all
  select * from (select account_id, id, 0, 1 from scanned limit 1 offset :scan_rows - 1)
  limit :rows
)
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at,
  page.is_shown, page.ends_scan{end_pack}
from page cross join clients as client on client.account_id = page.account_id and client.id = page.id
