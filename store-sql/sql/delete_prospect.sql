-- delete_prospect: takes a prospect away.
delete from prospects where id = {unhex:prospect}
