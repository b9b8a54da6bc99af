//! Prospects: people in crashes. Accounts get them as cold leads (group P). Names follow the US crash-data
//! standard (MMUCC).

mod merge;
mod parse;
mod render;
mod words;

pub(crate) use parse::county_fips;
pub(crate) use parse::read_prospect;
pub use parse::{NAMES as IMPORT_FIELDS, parse_prospect};
pub(crate) use render::ProspectBody;

use chrono::NaiveDate;
use smol_str::SmolStr;
use uuid::Uuid;

use crate::time::Timestamp;

/// The normalized fields of one person in one crash.
///
/// Its `Debug` form shows personal data: never log it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProspectFields {
    /// The id in the operator's source; required and unique.
    pub source_id: SmolStr,
    /// As written, in NFC.
    pub first_name: Option<SmolStr>,
    /// As written, in NFC.
    pub last_name: Option<SmolStr>,
    /// Street address, as written.
    pub address_line1: Option<SmolStr>,
    /// Apartment, suite, unit, as written.
    pub address_line2: Option<SmolStr>,
    /// As written.
    pub city: Option<SmolStr>,
    /// Two capitals.
    pub state: Option<SmolStr>,
    /// `NNNNN` or `NNNNN-NNNN`.
    pub zip: Option<SmolStr>,
    /// Shown only with contact enrichment.
    pub email: Option<SmolStr>,
    /// E.164; shown only with contact enrichment.
    pub phone: Option<SmolStr>,
    /// One of [`PERSON_TYPES`].
    pub person_type: Option<SmolStr>,
    /// One of [`INJURY_SEVERITIES`].
    pub injury_severity: Option<SmolStr>,
    /// Taken to a hospital.
    pub transported: Option<bool>,
    /// Calendar date of the crash. It is required, because access depends on it.
    pub crash_date: NaiveDate,
    /// Local time of the crash, `HH:MM`.
    pub crash_time: Option<SmolStr>,
    /// City of the crash.
    pub crash_city: Option<SmolStr>,
    /// State of the crash, two capitals.
    pub crash_state: Option<SmolStr>,
    /// The county's name.
    pub crash_county: Option<SmolStr>,
    /// The county's five-digit FIPS code. It is required, because access depends on it.
    pub crash_county_fips: SmolStr,
    /// The number of the police report.
    pub crash_report_number: Option<SmolStr>,
    /// MMUCC's manner of collision, as text.
    pub manner_of_collision: Option<SmolStr>,
    /// Four digits.
    pub vehicle_year: Option<i32>,
    /// Maker of the person's vehicle.
    pub vehicle_make: Option<SmolStr>,
    /// Model of the person's vehicle.
    pub vehicle_model: Option<SmolStr>,
    /// The vehicle was towed.
    pub vehicle_towed: Option<bool>,
    /// A driver fled.
    pub hit_and_run: Option<bool>,
}

/// A stored prospect.
///
/// Its `Debug` form shows a person: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// Public id, by which callers remove duplicates when they sync again.
    pub id: Uuid,
    /// The person and the crash.
    pub fields: ProspectFields,
    /// The commit that added it. It stays when the prospect is imported again.
    pub added_at: Timestamp,
}

/// The values of `person_type`.
pub const PERSON_TYPES: [&str; 7] =
    ["driver", "passenger", "pedestrian", "bicyclist", "other_cyclist", "other_nonmotorist", "unknown"];

/// The values of `injury_severity`.
pub const INJURY_SEVERITIES: [&str; 6] =
    ["fatal", "suspected_serious", "suspected_minor", "possible", "none", "unknown"];
