-- note_letters_on: keeps who turned a client's letters on again, and why.
insert into letters_on (account_id, client_id, at, actor, reason)
values (:account_id, {unhex:client}, (select last_commit_at from accounts where id = :account_id), :actor, :reason)
