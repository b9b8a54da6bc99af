//! The fields of an operator request: plain JSON types, all problems in one message (rule O5).

use crate::{
    account::Role,
    api::{error::ApiError, json_body},
    client::FieldReader,
    jurisdiction::Jurisdiction,
    normalize::{self, FieldValue, Problem, ProblemKind},
    time::Timestamp,
};
use smol_str::SmolStr;

/// Reads the members of a body with `read`. All problems are in one error.
pub(super) fn fields<T, const N: usize>(
    text: &str,
    names: &'static [&'static str; N],
    read: impl FnOnce(&mut FieldReader<'_, '_>) -> T,
) -> Result<T, ApiError> {
    let members = json_body::members(text, names)?;
    let mut reader = FieldReader::new(members.values());
    let value = read(&mut reader);
    reader.finish().map_err(|error| ApiError::invalid(error.to_string()))?;
    Ok(value)
}

/// The same, where an empty body counts as an object without members.
pub(super) fn optional_fields<T, const N: usize>(
    text: &str,
    names: &'static [&'static str; N],
    read: impl FnOnce(&mut FieldReader<'_, '_>) -> T,
) -> Result<T, ApiError> {
    fields(if text.trim_ascii().is_empty() { "{}" } else { text }, names, read)
}

/// A JSON boolean.
pub(super) fn flag(value: &FieldValue<'_>) -> Result<Option<bool>, Problem> {
    match value {
        FieldValue::Absent => Ok(None),
        FieldValue::Bool(flag) => Ok(Some(*flag)),
        _ => Err(Problem::fixed(ProblemKind::YesNo, "must be true or false")),
    }
}

/// A required email.
pub(super) fn required_email(value: &FieldValue<'_>) -> Result<Option<SmolStr>, Problem> {
    required(normalize::email(value)?)
}

/// A required role.
pub(super) fn required_role(value: &FieldValue<'_>) -> Result<Option<Role>, Problem> {
    let Some(text) = required(normalize::text(value, 200)?)? else { return Ok(None) };
    let role = Role::from_name(&text);
    role.map(Some).ok_or(Problem::fixed(ProblemKind::NotAllowed, "must be owner, teammate or view_only"))
}

/// A jurisdiction.
pub(super) fn jurisdiction(value: &FieldValue<'_>) -> Result<Option<Jurisdiction>, Problem> {
    let Some(text) = normalize::text(value, 200)? else { return Ok(None) };
    let jurisdiction = Jurisdiction::from_name(&text);
    jurisdiction.map(Some).ok_or(Problem::fixed(ProblemKind::NotAllowed, "must be eu or us"))
}

/// A member that nothing changes any more.
pub(super) fn unchangeable(value: &FieldValue<'_>) -> Result<Option<()>, Problem> {
    match value {
        FieldValue::Absent => Ok(None),
        _ => Err(Problem::fixed(ProblemKind::NotAllowed, "cannot be changed")),
    }
}

/// A date and time with an offset.
pub(super) fn time(value: &FieldValue<'_>) -> Result<Option<Timestamp>, Problem> {
    let Some(text) = normalize::text(value, 200)? else { return Ok(None) };
    Timestamp::parse_rfc3339(&text).map(Some).ok_or(Problem::fixed(
        ProblemKind::NotAllowed,
        "must be a date and time with an offset, such as 2027-01-31T00:00:00Z",
    ))
}

/// A required time before `now`.
pub(super) fn required_past_time(value: &FieldValue<'_>, now: Timestamp) -> Result<Option<Timestamp>, Problem> {
    let time = required(time(value)?)?;
    if time.is_some_and(|time| time >= now) {
        return Err(Problem::fixed(ProblemKind::NotAllowed, "must lie in the past"));
    }
    Ok(time)
}

/// A required date.
pub(super) fn required_date(value: &FieldValue<'_>) -> Result<Option<chrono::NaiveDate>, Problem> {
    required(normalize::date(value)?)
}

fn required<T>(value: Option<T>) -> Result<Option<T>, Problem> {
    value.map(Some).ok_or(Problem::REQUIRED)
}
