-- import_batches: two commits of an import before a request, the latest first. Their requests' ids begin with times
-- between its begin and its end; two hours are for clocks that differ. So commits need no index by import.
select {hex:batch.request_id} as request_id, import.started_at - 7200000000 as first_at
from imports as import cross join commits as batch
where import.id = {unhex:import}
  and import.account_id = (select id from accounts where public_id = {unhex:account})
  and batch.account_id = import.account_id and batch.import_id = import.id
  and batch.request_id >= unhex(printf('%012x%020x', import.started_at / 1000 - 7200000, 0))
  and batch.request_id < min({unhex:before}, unhex(printf('%012x%020x',
    coalesce(import.ended_at / 1000 + 7200000, 281474976710655), 0)))
order by batch.request_id desc limit 2
