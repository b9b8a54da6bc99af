-- account: one account.
select {hex:public_id} as id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at,
  nullif(last_commit_at, 0) as last_commit_at from accounts
where public_id = {unhex:account}
