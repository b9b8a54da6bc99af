-- remove_links: removes the sign-in link of a login.
delete from sign_in_links where login_id = {unhex:login}
