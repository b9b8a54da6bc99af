(:text is null
      or (ifnull(candidate.first_name, '') || ' ' || ifnull(candidate.last_name, '')) like :pattern
      or candidate.external_id like :pattern or candidate.email like :pattern
      or candidate.id in (
        select client_id from client_aliases indexed by client_aliases_by_external_id
        where account_id = (select id from accounts where public_id = {unhex:account}) and removed_in is null
          and external_id like :pattern)
      or instr(candidate.phone, :digits) > 0 or substr(candidate.zip, 1, :text_length) = :text
      or candidate.name_hash in (select value from json_each(:name_hashes)))
    and (:settled_from is null or candidate.settled_on >= :settled_from)
    and (:settled_to is null or candidate.settled_on <= :settled_to)
    and (:letters_off = 0 or candidate.do_not_mail = 1)
    and (:case_type is null or instr(lower(candidate.case_type), :case_type) > 0)
