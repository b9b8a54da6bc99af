-- erase_answers: drops the account's saved answers that name a client, in the words that
-- SavedAnswer::texts_naming gives for its id and its external id.
delete from saved_answers where account_id = :account_id and (instr(body, :id) > 0 or instr(body, :external_id) > 0)
