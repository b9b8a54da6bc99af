//! Which prospects a page of the console shows.

use chrono::NaiveDate;
use smol_str::SmolStr;

use crate::{
    prospect::Prospect,
    store::{Position, View},
    time::Timestamp,
};

/// Which prospects a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProspectSearch {
    /// The view: prospects are hidden for a delay.
    pub view: View,
    /// Oldest addition first; otherwise the newest.
    pub oldest_first: bool,
    /// Only what follows this position in that order.
    pub after: Option<Position>,
    /// Only those added at or after this time.
    pub added_since: Option<Timestamp>,
    /// Only those of this county.
    pub fips: Option<SmolStr>,
    /// Only crashes on or after this day.
    pub crash_from: Option<NaiveDate>,
    /// Only crashes on or before this day.
    pub crash_to: Option<NaiveDate>,
    /// Only those with this severity of injury.
    pub injury_severity: Option<SmolStr>,
    /// At most so many, 1 to 500.
    pub limit: u32,
}

impl ProspectSearch {
    /// Whether the page shows a prospect whose county is granted.
    #[must_use]
    pub fn admits(&self, prospect: &Prospect) -> bool {
        let fields = &prospect.fields;
        let severity = |wanted: &SmolStr| fields.injury_severity.as_ref().is_some_and(|value| value.as_str() == wanted);
        self.fips.as_ref().is_none_or(|fips| *fips == fields.crash_county_fips)
            && self.crash_from.is_none_or(|from| from <= fields.crash_date)
            && self.crash_to.is_none_or(|to| fields.crash_date <= to)
            && self.added_since.is_none_or(|since| since <= prospect.added_at)
            && self.injury_severity.as_ref().is_none_or(severity)
    }
}
