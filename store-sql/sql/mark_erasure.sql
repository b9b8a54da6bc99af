-- mark_erasure: tells decisions that read before this commit that a client is gone.
update accounts set last_erasure_at = last_commit_at where id = :account_id
