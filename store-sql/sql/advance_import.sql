-- advance_import: adds to an import what a batch did.
update imports set sent_rows = sent_rows + :rows, created = created + :created, updated = updated + :updated,
  unchanged = unchanged + :unchanged, refused = refused + :refused
where id = {unhex:import} and account_id = :account_id
