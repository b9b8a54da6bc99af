-- put_settlements: inserts new settlements and updates corrected ones.
insert into settlements (account_id, client_id, id, settled_on, former_dates, begun_at, changed_at)
{values_each} @account_id, {unhex:client_id}, {unhex:id}, :settled_on, :former_dates, {commit_at}, {commit_at}
{end_each}
on conflict (account_id, client_id, id) do update set
  settled_on = excluded.settled_on, former_dates = excluded.former_dates, changed_at = excluded.changed_at
