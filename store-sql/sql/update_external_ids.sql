-- update_external_ids: clients that got an external_id.
update clients set external_id = :external_id
{from_each} and clients.account_id = :account_id and clients.id = unhex(:id)
