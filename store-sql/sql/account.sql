-- account: one account.
select {hex:public_id} as id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at from accounts
where public_id = {unhex:account}
