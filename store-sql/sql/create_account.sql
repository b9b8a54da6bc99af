-- create_account: inserts an account.
insert into accounts (public_id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at)
values ({unhex:account}, :number, :email, :api_enabled, :suspended, :digital_bundle, :contact_enrichment, :at)
