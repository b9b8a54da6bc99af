-- mark_erasure: records the time of an erasure, so that decisions based on an earlier read are made
-- again.
update accounts set last_erasure_at = last_commit_at where id = :account_id
