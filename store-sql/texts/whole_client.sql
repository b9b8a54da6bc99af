{rows_only}left join clients as whole on whole.account_id = client.account_id and whole.id = client.id
    and client.fingerprint is not {unhex:fingerprint}{end_only}