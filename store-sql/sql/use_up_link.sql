-- use_up_link: deletes a sign-in link that was used.
delete from sign_in_links where digest = :link
