-- update_persons: clients whose name or place changed.
update clients set name_hash = :name_hash, place_hash = :place_hash
{from_each} and clients.account_id = :account_id and clients.id = unhex(:id)
