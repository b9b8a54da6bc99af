-- note_comparison: keeps when the clients of an account were compared, and the last commit that was seen.
update accounts set compared_at = :now, compared_until = :last_commit_at where public_id = {unhex:account}
