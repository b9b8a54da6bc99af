-- erase_states: deletes every earlier state of a client, each found from the one after it.
with recursive chain (period, updated_at) as (
  select previous_period, previous_updated_at from clients where account_id = :account_id and id = {unhex:client}
  union all
  select state.previous_period, state.previous_updated_at
  from chain cross join client_states as state
  where state.account_id = :account_id and state.period = chain.period and state.updated_at = chain.updated_at
    and state.id = {unhex:client}
)
delete from client_states
where account_id = :account_id and (period, updated_at) in (select period, updated_at from chain)
  and id = {unhex:client}
