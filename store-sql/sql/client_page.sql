-- client_page: the clients that did not change after the horizon, in order of last change, after a
-- cursor: one row more than the page holds. client_state_page returns the others.
select {pack_all}{hex:clients.id}, {columns:client_fields}, created_at, updated_at{end_pack}
from clients indexed by clients_by_update
where account_id = (select account_id from api_keys where digest = :key and revoked_at is null)
  and (updated_at, clients.id) > (:after_at, {unhex:after_id})
  and updated_at <= (
    select {horizon} from api_keys as key cross join accounts as account on account.id = key.account_id
    where key.digest = :key)
order by updated_at, clients.id limit :rows
