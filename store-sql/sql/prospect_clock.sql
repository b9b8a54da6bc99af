-- prospect_clock: the time of the last change to the prospects.
select last_change_at from prospect_clock where id = 1
