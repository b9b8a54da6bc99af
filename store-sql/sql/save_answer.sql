-- save_answer: stores a response under its idempotency key and replaces an expired one.
insert into saved_answers (account_id, idempotency_key, request_digest, status, body, saved_at)
values (:account_id, :idempotency_key, :request_digest, :status, :body, :now)
on conflict (account_id, idempotency_key) do update set
  request_digest = excluded.request_digest, status = excluded.status, body = excluded.body, saved_at = excluded.saved_at
