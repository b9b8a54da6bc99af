-- day_counts: how many clients the commits of each day created and changed, by keys, by people and by the operator.
-- Request ids begin with their time, so the commits of a day are from :first_request to :last_request.
select :day as day, (
  select json_array(sum(created) filter (where api_key_id is not null),
    sum(changed) filter (where api_key_id is not null),
    sum(created) filter (where login_id is not null), sum(changed) filter (where login_id is not null),
    sum(created) filter (where api_key_id is null and login_id is null),
    sum(changed) filter (where api_key_id is null and login_id is null))
  from commits
  where account_id = (select id from accounts where public_id = {unhex:account})
    and request_id >= {unhex:first_request} and request_id <= {unhex:last_request} and at >= :from_time and at < :to_time
) as counts
{from_each}
