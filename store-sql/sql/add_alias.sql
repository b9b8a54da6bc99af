-- add_alias: gives a client another external_id, by which it is found too.
insert into client_aliases (account_id, client_id, added_in, external_id)
values (:account_id, {unhex:client_id}, {unhex:request_id}, :external_id)
