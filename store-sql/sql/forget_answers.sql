-- forget_answers: deletes a few responses of any account that expired a while ago.
delete from saved_answers where (account_id, idempotency_key) in (
  select account_id, idempotency_key from saved_answers indexed by saved_answers_by_time
  where saved_at <= :kept_since order by saved_at limit 8)
