-- sent_again: of removed clients, the numbers of those that a post would now find in, or could not tell apart from, a
-- client that changed after @since.
select :number as number
from {each} accounts as account
where account.public_id = {unhex:@account} and (
  exists (select 1 from clients as other indexed by clients_without_external_id
    where other.account_id = account.id and other.name_hash = :name_hash and other.external_id is null
      and other.updated_at > @since
      and (other.zip5 = :zip5 or not :is_complete and (other.zip5 is null or :zip5 is null))
      and (other.street_hash = :street_hash
          and (other.unit_hash <= 0 and :unit_hash <= 0 or abs(other.unit_hash) = abs(:unit_hash))
        or not :is_complete and (other.street_hash is null or :street_hash is null)))
  or exists (select 1 from clients as other indexed by clients_with_external_id
    where :with_external_id and other.account_id = account.id and other.name_hash = :name_hash
      and other.external_id is not null and other.updated_at > @since
      and (other.zip5 = :zip5 or not :is_complete and (other.zip5 is null or :zip5 is null))
      and (other.street_hash = :street_hash
          and (other.unit_hash <= 0 and :unit_hash <= 0 or abs(other.unit_hash) = abs(:unit_hash))
        or not :is_complete and (other.street_hash is null or :street_hash is null))))
