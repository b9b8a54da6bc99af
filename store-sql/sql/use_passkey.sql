-- use_passkey: stores the state of a passkey after an assertion.
update passkeys set state = {unhex:state}, last_used_at = :now where credential_id = {unhex:credential_id}
