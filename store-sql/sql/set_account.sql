-- set_account: updates the given fields of an account.
update accounts set
  email = coalesce(:email, email), api_enabled = coalesce(:api_enabled, api_enabled),
  suspended = coalesce(:suspended, suspended), digital_bundle = coalesce(:digital_bundle, digital_bundle),
  contact_enrichment = coalesce(:contact_enrichment, contact_enrichment)
where public_id = {unhex:account}
