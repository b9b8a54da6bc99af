merged.crash_date >= merged.from_date
  and (:crash_from is null or merged.crash_date >= :crash_from)
  and (:crash_to is null or merged.crash_date <= :crash_to)
  and (:injury_severity is null
    or :injury_severity = (select injury_severity from prospects as found where found.id = merged.id))
