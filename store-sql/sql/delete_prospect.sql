-- delete_prospect: deletes a prospect.
delete from prospects where id = {unhex:prospect}
