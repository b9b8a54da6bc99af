-- erase_answers: deletes the account's saved responses that name an erased client, by the texts that
-- SavedAnswer::texts_naming gives for its id and external_id. It also deletes responses that quote
-- values as they were sent, because they may contain the client's data.
delete from saved_answers
where account_id = :account_id and (instr(body, :id) > 0 or instr(body, :external_id) > 0 or instr(body, :values) > 0)
