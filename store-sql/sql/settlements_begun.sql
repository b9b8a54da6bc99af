-- settlements_begun: how many of an account's settlements began since a time, up to :rows, by whether the client gets
-- letters.
select sum(client.do_not_mail = 0) as with_letters, sum(client.do_not_mail = 1) as without_letters
from (
    select account_id, client_id from settlements indexed by settlements_by_change
    where account_id = (select id from accounts where public_id = {unhex:account}) and changed_at >= :since
      and begun_at >= :since
    limit :rows) as begun
  cross join clients as client on client.account_id = begun.account_id and client.id = begun.client_id
