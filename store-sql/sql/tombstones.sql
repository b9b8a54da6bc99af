-- tombstones: what erased clients left behind, of those that the wants name.
select {hex:tombstone.identity} as identity, tombstone.do_not_mail
from {each} client_tombstones as tombstone
where tombstone.account_id = {account} and tombstone.identity = {unhex:identity}
