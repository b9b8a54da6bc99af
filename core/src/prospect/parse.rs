//! Parses one imported prospect to its normalized fields, or to an error with every problem (rules P11 to
//! P14).

use chrono::NaiveDate;
use smol_str::{SmolStr, format_smolstr};

use super::{ProspectFields, words};
use crate::{
    client::{FieldReader, ParseError},
    county,
    json::{Malformed, MemberOrder, Members, Scanner},
    normalize::{self, FieldValue, Problem, ProblemKind},
};

/// The members of an imported prospect, in the order in which a message lists problems.
pub const NAMES: [&str; 26] = [
    "source_id",
    "first_name",
    "last_name",
    "address_line1",
    "address_line2",
    "city",
    "state",
    "zip",
    "email",
    "phone",
    "person_type",
    "injury_severity",
    "transported",
    "crash_date",
    "crash_time",
    "crash_city",
    "crash_state",
    "crash_county",
    "crash_county_fips",
    "crash_report_number",
    "manner_of_collision",
    "vehicle_year",
    "vehicle_make",
    "vehicle_model",
    "vehicle_towed",
    "hit_and_run",
];

/// Reads one prospect object of an import. Unknown members are ignored. The crash date is at most one day
/// after `today`, because time zones differ.
///
/// # Errors
/// Every problem. It displays as one sentence that names each refused field.
///
/// ```
/// use matterbook_core::{chrono::NaiveDate, prospect::parse_prospect};
/// let today = NaiveDate::from_ymd_opt(2026, 1, 31).unwrap();
/// let json = r#"{"source_id": "A-1", "crash_date": "1/15/2026", "crash_county_fips": 6037}"#;
/// assert_eq!(parse_prospect(json, today).unwrap().crash_county_fips, "06037");
/// assert!(parse_prospect("{}", today).unwrap_err().to_string().starts_with("source_id is required"));
/// ```
pub fn parse_prospect(json: &str, today: NaiveDate) -> Result<ProspectFields, ParseError> {
    let members = Members::parse(json, &NAMES).map_err(|_| not_an_object())?;
    prospect_from_members(&members, today)
}

fn not_an_object() -> ParseError {
    ParseError::of_record(ProblemKind::WrongType, "A prospect must be a JSON object.")
}

/// Reads the next prospect object of a larger text.
pub(crate) fn read_prospect(
    scanner: &mut Scanner<'_>,
    today: NaiveDate,
) -> Result<Result<ProspectFields, ParseError>, Malformed> {
    if scanner.peek() != Some(b'{') {
        return scanner.skip().map(|()| Err(not_an_object()));
    }
    let mut members = Members::of(&NAMES);
    members.read(scanner, &mut MemberOrder::default())?;
    if members.has_invalid_utf16 {
        return Ok(Err(not_an_object()));
    }
    Ok(prospect_from_members(&members, today))
}

fn prospect_from_members(
    members: &Members<'_, { NAMES.len() }>,
    today: NaiveDate,
) -> Result<ProspectFields, ParseError> {
    let mut reader = FieldReader::new(members.values());
    let fields = ProspectFields {
        source_id: reader.read("source_id", required(normalize::external_id)).unwrap_or_default(),
        first_name: reader.name("first_name"),
        last_name: reader.name("last_name"),
        address_line1: reader.address("address_line1"),
        address_line2: reader.address("address_line2"),
        city: reader.name("city"),
        state: reader.read("state", normalize::state),
        zip: reader.read("zip", normalize::zip),
        email: reader.read("email", normalize::email),
        phone: reader.read("phone", normalize::phone),
        person_type: reader.read("person_type", words::person_type),
        injury_severity: reader.read("injury_severity", words::severity),
        transported: reader.read("transported", |value| words::flag(value, &["transported", "taken", "ems"])),
        crash_date: reader.read("crash_date", required(|value| past_date(value, today))).unwrap_or_default(),
        crash_time: reader.read("crash_time", time_of_day),
        crash_city: reader.name("crash_city"),
        crash_state: reader.read("crash_state", normalize::state),
        crash_county: reader.name("crash_county"),
        crash_county_fips: reader.read("crash_county_fips", required(county_fips)).unwrap_or_default(),
        crash_report_number: reader.read("crash_report_number", normalize::external_id),
        manner_of_collision: reader.name("manner_of_collision"),
        vehicle_year: reader.read("vehicle_year", year),
        vehicle_make: reader.name("vehicle_make"),
        vehicle_model: reader.name("vehicle_model"),
        vehicle_towed: reader.read("vehicle_towed", |value| words::flag(value, &["towed"])),
        hit_and_run: reader.read("hit_and_run", |value| words::flag(value, &["hitandrun", "hitrun"])),
    };
    reader.finish()?;
    Ok(fields)
}

/// A county's five-digit FIPS code. Four digits get a leading zero (rule P14).
///
/// # Errors
/// When it is anything else, or no county has the code (rule P21).
pub(crate) fn county_fips(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    let problem =
        || Problem::fixed(ProblemKind::NotAllowed, "must be the five digits of a county's FIPS code, such as 06037");
    let Some(text) = normalize::external_id(value).map_err(|_| problem())? else { return Ok(None) };
    if !matches!(text.len(), 4 | 5) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(problem());
    }
    let code = format_smolstr!("{text:0>5}");
    if county::exists(&code) { Ok(Some(code)) } else { Err(Problem::fixed(ProblemKind::NotAllowed, NO_COUNTY)) }
}

const NO_COUNTY: &str = "must be a code of the Census list of counties, such as 06037 for Los Angeles County, CA; no \
                         county has this one";

/// Makes a missing value a problem.
fn required<T>(
    rule: impl FnOnce(&FieldValue<'_>) -> Result<Option<T>, Problem>,
) -> impl FnOnce(&FieldValue<'_>) -> Result<Option<T>, Problem> {
    |value| rule(value)?.map(Some).ok_or(Problem::REQUIRED)
}

fn past_date(value: &FieldValue<'_>, today: NaiveDate) -> Result<Option<NaiveDate>, Problem> {
    let latest = today.succ_opt().unwrap_or(today);
    match normalize::date(value)? {
        Some(date) if date > latest => Err(Problem::fixed(ProblemKind::NoSuchDate, "must not lie in the future")),
        date => Ok(date),
    }
}

fn time_of_day(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    let Some(text) = normalize::text(value, 20)? else { return Ok(None) };
    match hour_and_minute(&text) {
        Some((hour, minute)) => Ok(Some(format_smolstr!("{hour:02}:{minute:02}"))),
        None => Err(Problem::fixed(ProblemKind::NotAllowed, "must be a time of day from 00:00 to 23:59")),
    }
}

/// The hour and the minute of a time such as `8:05`, `08:05:59`, `8:05 PM` or `2005`.
fn hour_and_minute(text: &str) -> Option<(u32, u32)> {
    let number = |digits: &str, latest: u32| {
        let digits = digits.trim_start();
        let is_number = matches!(digits.len(), 1 | 2) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|number| is_number && *number <= latest)
    };
    if let Some((hour, minute)) = text.split_at_checked(2).filter(|_| text.len() == 4 && !text.contains(':')) {
        return Some((number(hour, 23)?, number(minute, 59)?)).filter(|_| !minute.starts_with(' '));
    }
    let lower = text.to_ascii_lowercase().replace('.', "");
    let half = ["am", "pm"].into_iter().find_map(|half| Some((half, lower.strip_suffix(half)?.trim_end())));
    let parts: Vec<_> = half.map_or(text, |(_, time)| time).split(':').collect();
    let [hour, minute, seconds @ ..] = parts.as_slice() else { return None };
    // A minute may have a leap second.
    let is_time = seconds.len() < 2 && seconds.iter().all(|second| number(second, 60).is_some());
    let hour = match half {
        None => number(hour, 23)?,
        Some((half, _)) => number(hour, 12).filter(|hour| *hour > 0)? % 12 + if half == "pm" { 12 } else { 0 },
    };
    Some((hour, number(minute, 59)?)).filter(|_| is_time)
}

fn year(value: &FieldValue<'_>) -> Result<Option<i32>, Problem> {
    let problem = || Problem::fixed(ProblemKind::NotAllowed, "must be a year from 1900 to 2100");
    let Some(text) = normalize::external_id(value).map_err(|_| problem())? else { return Ok(None) };
    let is_year = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|year| is_year && (1900..=2100).contains(year)).map(Some).ok_or_else(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_is_kept_as_hours_and_minutes() {
        let time = |text: &'static str| time_of_day(&FieldValue::from(text)).ok().flatten();
        for (text, expected) in [
            ("00:00", "00:00"),
            ("8:05", "08:05"),
            (" 08:5 ", "08:05"),
            ("23:59", "23:59"),
            ("12:30:00", "12:30"),
            ("12: 30: 7", "12:30"),
            ("23:59:60", "23:59"),
            ("2:30 PM", "14:30"),
            ("02:30:15 p.m.", "14:30"),
            ("12:05am", "00:05"),
            ("12:05 PM", "12:05"),
            ("1430", "14:30"),
            ("0005", "00:05"),
        ] {
            assert_eq!(time(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "24:00",
            "12:60",
            "12",
            "12:",
            ":30",
            "12:30:",
            "12:30:61",
            "12:30:00:00",
            "+1:30",
            "012:30",
            "12 :30",
            "12.30",
            "１２:30",
            "13:30 PM",
            "0:30 am",
            "7pm",
            "2460",
            "9999",
            "12 5",
            "930",
        ] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
