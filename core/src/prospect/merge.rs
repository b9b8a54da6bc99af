//! Merges a prospect that is imported again: given values replace, absent values keep the stored ones (rule
//! P15).

use super::ProspectFields;

impl ProspectFields {
    /// These fields, updated by an import of the same `source_id`.
    ///
    /// ```
    /// use matterbook_core::{chrono::NaiveDate, prospect::parse_prospect};
    /// let today = NaiveDate::from_ymd_opt(2026, 1, 31).unwrap();
    /// let known = r#"{"source_id": 1, "crash_date": "1/15/2026", "crash_county_fips": "06037", "zip": "90001"}"#;
    /// let given = r#"{"source_id": 1, "crash_date": "1/16/2026", "crash_county_fips": "06037", "city": "Reno"}"#;
    /// let merged = parse_prospect(known, today).unwrap().merged_with(parse_prospect(given, today).unwrap());
    /// assert_eq!((merged.zip.as_deref(), merged.city.as_deref()), (Some("90001"), Some("Reno")));
    /// assert_eq!(merged.crash_date.to_string(), "2026-01-16");
    /// ```
    #[must_use]
    pub fn merged_with(self, given: Self) -> Self {
        Self {
            source_id: self.source_id,
            first_name: given.first_name.or(self.first_name),
            last_name: given.last_name.or(self.last_name),
            address_line1: given.address_line1.or(self.address_line1),
            address_line2: given.address_line2.or(self.address_line2),
            city: given.city.or(self.city),
            state: given.state.or(self.state),
            zip: given.zip.or(self.zip),
            email: given.email.or(self.email),
            phone: given.phone.or(self.phone),
            person_type: given.person_type.or(self.person_type),
            injury_severity: given.injury_severity.or(self.injury_severity),
            transported: given.transported.or(self.transported),
            crash_date: given.crash_date,
            crash_time: given.crash_time.or(self.crash_time),
            crash_city: given.crash_city.or(self.crash_city),
            crash_state: given.crash_state.or(self.crash_state),
            crash_county: given.crash_county.or(self.crash_county),
            crash_county_fips: given.crash_county_fips,
            crash_report_number: given.crash_report_number.or(self.crash_report_number),
            manner_of_collision: given.manner_of_collision.or(self.manner_of_collision),
            vehicle_year: given.vehicle_year.or(self.vehicle_year),
            vehicle_make: given.vehicle_make.or(self.vehicle_make),
            vehicle_model: given.vehicle_model.or(self.vehicle_model),
            vehicle_towed: given.vehicle_towed.or(self.vehicle_towed),
            hit_and_run: given.hit_and_run.or(self.hit_and_run),
        }
    }
}
