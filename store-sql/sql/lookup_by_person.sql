-- lookup_by_person: every client with a name and a place. Settlements are included if the request needs
-- them.
select {pack}{matched_client}{end_pack}
from clients as client indexed by clients_by_person
where client.account_id = :account_id and client.name_hash = :name_hash and client.place_hash = :place_hash
