-- tombstones: the tombstones of erased clients that match the request's lookup keys.
select {hex:tombstone.identity} as identity, tombstone.do_not_mail
from {each} client_tombstones as tombstone
where tombstone.account_id = {account} and tombstone.identity = {unhex:identity}
