-- mark_aliases: records the time of a change of aliases, so that decisions based on an earlier read are made again.
update accounts set last_alias_at = last_commit_at where id = :account_id
