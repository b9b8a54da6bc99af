-- client_page_filtered: of the first :scan_rows clients that client_page would return after a cursor, those
-- with the given values, one row more than the page holds; or fewer, up to the last row that the scan reads
-- (ends_scan), whether or not it has them. The rows keep the order of the scan. A client whose name has one of the hashes may have another name.
with scanned (updated_at, id) as materialized (
  select updated_at, clients.id from clients indexed by clients_by_update
  where account_id = (select account_id from api_keys where digest = :key and revoked_at is null)
    and (updated_at, clients.id) > (:after_at, {unhex:after_id})
    and updated_at <= (
      select {horizon} from api_keys as key cross join accounts as account on account.id = key.account_id
      where key.digest = :key)
  order by updated_at, clients.id limit :scan_rows
),
page (id, is_shown, ends_scan) as materialized (
  select scanned.id, 1, 0
  from scanned cross join clients as candidate
    on candidate.account_id = (select account_id from api_keys where digest = :key and revoked_at is null)
    and candidate.id = scanned.id
  where (:email is null or candidate.email = :email) and (:phone is null or candidate.phone = :phone)
    and (:name_hashes is null or candidate.name_hash in (select value from json_each(:name_hashes)))
  union all
  select * from (select id, 0, 1 from scanned limit 1 offset :scan_rows - 1)
  limit :rows
)
select {pack}{hex:client.id}, {columns:client_fields:client}, client.created_at, client.updated_at,
  page.is_shown, page.ends_scan{end_pack}
from page cross join clients as client
  on client.account_id = (select account_id from api_keys where digest = :key and revoked_at is null)
  and client.id = page.id
