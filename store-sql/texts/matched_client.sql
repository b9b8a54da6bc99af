:key_number, {hex:client.id}, client.created_at, client.updated_at, {settlements},
  client.fingerprint = {unhex:fingerprint}{rows_only} as ends{end_only}, {columns:client_fields:client}