-- prospect_clock: when prospects changed last.
select last_change_at from prospect_clock where id = 1
