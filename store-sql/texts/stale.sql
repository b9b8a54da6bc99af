select 'key' where :key is not null and not exists (
  select 1 from api_keys as key
    cross join accounts as account on account.id = key.account_id
    cross join logins as login on login.id = key.login_id
  where key.digest = :key and key.revoked_at is null
    and account.suspended = :suspended and account.api_enabled = :api_enabled and login.role = :role)
union all
select 'erasure' from accounts where id = :account_id and (last_erasure_at > :read_at or last_alias_at > :read_at)
union all
select 'client' from clients as client indexed by clients_by_update
where client.account_id = :account_id and client.updated_at > :read_at and (
  client.id in (select unhex(value) from json_each(:client_ids))
  or client.external_id in (select value from json_each(:external_ids))
  or (client.name_hash, client.street_hash, client.zip5) in (select value->>0, value->>1, value->>2 from json_each(:persons))
  or client.name_hash in (select value from json_each(:names))
  or client.external_id is null and client.name_hash in (select value from json_each(:names_without_external_id)))
union all
select 'settlement' from settlements as settlement indexed by settlements_by_change
where settlement.account_id = :account_id and settlement.changed_at > :read_at
  and settlement.client_id in (select unhex(value) from json_each(:client_ids))
union all
select 'answer' from saved_answers
where account_id = :account_id and idempotency_key = :idempotency_key and saved_at > :answers_since
limit 1
