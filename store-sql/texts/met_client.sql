{rows_only}hex(client.id) as id, {columns:client_fields:client}, client.created_at, client.updated_at,
  {settlements} as settlements{end_only}{sets_only}case when client.fingerprint = unhex(:fingerprint)
  then json_array(:want, hex(client.id), client.created_at, client.updated_at, {settlements})
  else json_array(hex(client.id), {columns:client_fields:client}, client.created_at, client.updated_at,
    {settlements}) end{end_only}