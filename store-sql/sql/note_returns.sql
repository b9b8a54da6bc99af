-- note_returns: of removed clients that a commit brought back, keeps only the time of that commit.
update removed_clients set removed_at = {commit_at}, external_id = null, first_name = null, last_name = null,
  address_line1 = null, address_line2 = null, city = null, state = null, zip = null, email = null, phone = null,
  case_type = null, opened_on = null, settled_on = null, do_not_mail = 0
{from_each} and removed_clients.account_id = @account_id and removed_clients.id = {unhex:id}
