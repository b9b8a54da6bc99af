//! Leaves out optional values that cannot be read, so that the rest of the row is saved (rule F38).

use matterbook_core::{
    client::{parse_client, stored_value},
    normalize::{Field, FieldValue},
};
use serde_json::{json, value::RawValue};

use super::{Record, json_lines::members};
use crate::mapping::Target;

/// Removes the unreadable values of a row, if all of them are optional and the rest can be read.
pub(super) fn leave_out(record: &mut Record) {
    let Some((client, left_out)) = without_unreadable(record) else { return };
    record.client = Some(client);
    record.problems.clear();
    record.left_out = left_out;
}

/// The object without its unreadable values, and what is wrong with each; `None` if the row stays as it is.
fn without_unreadable(record: &Record) -> Option<(String, Vec<String>)> {
    let client = record.client.as_deref()?;
    let refused = parse_client(client).is_err();
    if record.problems.is_empty() && !refused {
        return None;
    }
    let members = members(client).ok()?;
    let has_id = members.iter().any(|(name, _)| name == Field::ExternalId.name());
    if !record.problems.iter().all(|problem| is_optional(problem, has_id)) {
        return None;
    }
    let mut left_out: Vec<String> = record.problems.iter().map(|problem| format!("{problem}.")).collect();
    let mut kept = Vec::new();
    for (name, value) in &members {
        match problem(name, value) {
            Some(problem) if is_optional(&problem, has_id) => left_out.push(format!("{problem}.")),
            _ => kept.push(format!("{}:{}", json!(name), value.get())),
        }
    }
    let rest = format!("{{{}}}", kept.join(","));
    parse_client(&rest).is_ok().then_some((rest, left_out))
}

/// What is wrong with a member, as a sentence that begins with its name.
fn problem(name: &str, value: &RawValue) -> Option<String> {
    let field = Field::from_name(name)?;
    let problem = stored_value(field, &FieldValue::from_json_token(value.get())).err()?;
    Some(format!("{name} {problem}"))
}

/// Whether the value of a problem may be left out. Names and ids tell clients apart, and so does the address
/// where there is no id. Without do_not_mail a letter could be sent to somebody who wants none.
fn is_optional(problem: &str, has_id: bool) -> bool {
    let target = problem.split(' ').next().and_then(Target::from_name);
    let is_optional = |field: &Field| match field {
        Field::FirstName | Field::LastName | Field::ExternalId | Field::DoNotMail => false,
        Field::AddressLine1 | Field::AddressLine2 | Field::Zip => has_id,
        Field::City
        | Field::State
        | Field::Email
        | Field::Phone
        | Field::CaseType
        | Field::OpenedOn
        | Field::SettledOn => true,
    };
    match target {
        Some(Target::Field(field)) => is_optional(&field),
        Some(split) => !split.parts().is_empty() && split.parts().iter().all(is_optional),
        None => false,
    }
}
