-- import: an import of an account.
select {hex:import.id} as id, login.email, import.file_name, import.digest, import.row_count, import.mapping,
  import.sent_rows, import.created, import.updated, import.unchanged, import.refused, import.started_at, import.ended_at
from imports as import left join logins as login on login.id = import.login_id
where import.id = {unhex:import} and import.account_id = (select id from accounts where public_id = {unhex:account})
