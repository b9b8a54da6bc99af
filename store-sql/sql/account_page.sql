-- account_page: accounts, oldest first, after a cursor.
select {hex:public_id} as id, number, email, api_enabled, suspended, digital_bundle, contact_enrichment, created_at,
  nullif(last_commit_at, 0) as last_commit_at
from accounts indexed by accounts_by_creation
where (created_at, public_id) > (:after_at, {unhex:after_id})
order by created_at, public_id limit :rows
