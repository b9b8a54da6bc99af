-- begin_file: begins an import.
insert into imports (id, account_id, login_id, file_name, digest, row_count, mapping, started_at)
select {unhex:import}, id, {unhex:login}, :file_name, :digest, :rows, :mapping, :now
from accounts where public_id = {unhex:account}
