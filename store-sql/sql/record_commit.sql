-- record_commit: keeps which request made the commit, and with which key. A request that was
-- applied already fails here.
insert into commits (account_id, request_id, attempt, at, api_key_id)
select id, unhex(:request_id), :attempt, last_commit_at, unhex(:api_key_id) from accounts where id = :account_id
