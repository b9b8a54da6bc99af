-- end_import: ends an import that goes on.
update imports set ended_at = :now where id = {unhex:import} and ended_at is null
