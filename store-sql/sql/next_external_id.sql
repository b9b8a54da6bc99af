-- next_external_id: the first external_id that a client of an account has, at or after one.
select external_id
from clients indexed by clients_by_external_id
where account_id = :account_id and external_id >= :external_id
order by external_id limit 1
