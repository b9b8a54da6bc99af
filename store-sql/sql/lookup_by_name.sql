-- lookup_by_name: every client with a name, or only those without an external_id. It returns none if
-- the key's own external_id is known. It serves keys without a place, since many clients may share one
-- name.
select {pack}{matched_client}{end_pack}
from {each} clients as client indexed by clients_by_person
where client.account_id = {account} and client.name_hash = :name_hash
  and not exists (select 1 from clients as known indexed by clients_by_external_id
    where known.account_id = {account} and known.external_id = :external_id)
  and (not :without_external_id or client.external_id is null)
