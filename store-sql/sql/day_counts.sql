-- day_counts: how many clients the commits of each day created and changed, by key, import, person and operator: kind,
-- name and counts of each source. Request ids begin with their time, so the commits of a day are from :first_request to
-- :last_request.
select :day as day, (
  select json_group_array(json_array(
    case when came.api_key_id is not null then 0 when came.import_id is not null then 1
      when came.login_id is not null then 2 else 3 end,
    case when came.api_key_id is not null then coalesce(key.label, '…' || key.last_four)
      when came.import_id is not null then import.file_name else login.email end,
    came.created, came.changed))
  from (
      select api_key_id, import_id, iif(import_id is null, login_id, null) as login_id, sum(created) as created,
        sum(changed) as changed
      from commits
      where account_id = (select id from accounts where public_id = {unhex:account})
        and request_id >= {unhex:first_request} and request_id <= {unhex:last_request} and at >= :from_time and at < :to_time
      group by 1, 2, 3
      having sum(created) + sum(changed) > 0) as came
    left join api_keys as key on key.id = came.api_key_id
    left join imports as import on import.id = came.import_id
    left join logins as login on login.id = came.login_id
) as counts
{from_each}
