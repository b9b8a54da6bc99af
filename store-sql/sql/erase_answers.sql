-- erase_answers: drops the account's saved answers that name a client by either of its ids.
delete from saved_answers where account_id = :account_id and (instr(body, :id) > 0 or instr(body, :external_id) > 0)
