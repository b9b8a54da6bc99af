-- removed_clients: the clients that a commit removed, each with the client that has its external_id now.
with held (id, created_at, holder, {columns:client_fields}) as (
  select removed.id, removed.created_at, coalesce(holder.id, alias.client_id), {columns:client_fields:removed}
  from commits as made
    cross join removed_clients as removed indexed by removed_clients_by_time
      on removed.account_id = made.account_id and removed.removed_at = made.at
    left join clients as holder indexed by clients_by_external_id
      on holder.account_id = removed.account_id and holder.external_id = removed.external_id
    left join client_aliases as alias indexed by client_aliases_by_external_id
      on alias.account_id = removed.account_id and alias.external_id = removed.external_id and alias.removed_in is null
  where made.account_id = (select id from accounts where public_id = {unhex:account})
    and made.request_id = {unhex:request}
    and not exists (select 1 from clients as back where back.account_id = removed.account_id and back.id = removed.id)
)
select {pack}{hex:id}, {hex:holder}, {columns:client_fields}, created_at{end_pack} from held
