-- compared_at: when the clients of an account were compared last.
select compared_at from accounts where public_id = {unhex:account}
