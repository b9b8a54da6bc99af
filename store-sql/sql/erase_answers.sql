-- erase_answers: drops the account's saved answers that name a client, in the words that
-- SavedAnswer::texts_naming gives for its id and its external id, and those that tell values as they were
-- sent, which may be the client's.
delete from saved_answers
where account_id = :account_id and (instr(body, :id) > 0 or instr(body, :external_id) > 0 or instr(body, :values) > 0)
