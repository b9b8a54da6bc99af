-- erase_states: deletes every earlier state of clients, each found from the one after it.
with recursive chain (id, period, updated_at) as (
  select client.id, client.previous_period, client.previous_updated_at
  from {each} clients as client where client.account_id = @account_id and client.id = {unhex:id}
  union all
  select state.id, state.previous_period, state.previous_updated_at
  from chain cross join client_states as state
  where state.account_id = @account_id and state.period = chain.period and state.updated_at = chain.updated_at
    and state.id = chain.id
)
delete from client_states
where account_id = @account_id and (period, updated_at, id) in (select period, updated_at, id from chain)
