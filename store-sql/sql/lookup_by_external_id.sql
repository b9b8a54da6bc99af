-- lookup_by_external_id: the client with an external_id. Settlements are included if the request needs
-- them.
select {pack}{matched_client}{end_pack}
from {each} clients as client indexed by clients_by_external_id
where client.account_id = :account_id and client.external_id = :external_id
