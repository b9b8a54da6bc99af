{rows_only}{hex:client.id} as id, client.created_at, client.updated_at, {settlements} as settlements,
  {columns:client_fields:client}{end_only}{sets_only}case when client.fingerprint = {unhex:fingerprint}
  then json_array(:want, {hex:client.id}, client.created_at, client.updated_at, {settlements})
  else json_array({hex:client.id}, client.created_at, client.updated_at, {settlements}, {columns:client_fields:client})
  end{end_only}