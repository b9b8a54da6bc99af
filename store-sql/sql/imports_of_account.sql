-- imports_of_account: imports of an account before a place, the newest first.
select {hex:import.id} as id, login.email, import.file_name, import.digest, import.row_count, import.mapping,
  import.sent_rows, import.created, import.updated, import.unchanged, import.refused, import.started_at, import.ended_at
from imports as import indexed by imports_by_account left join logins as login on login.id = import.login_id
where import.account_id = (select id from accounts where public_id = {unhex:account})
  and (import.started_at, import.id) < (:before_at, {unhex:before_id})
order by import.started_at desc, import.id desc limit :rows
