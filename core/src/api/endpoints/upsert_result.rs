//! What became of one client, as callers read it (reference section 2.2).

use serde::Serialize;
use uuid::Uuid;

use crate::plan::Outcome;

#[derive(Serialize)]
pub(super) struct UpsertResult<'a> {
    index: usize,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl<'a> UpsertResult<'a> {
    pub(super) fn new(index: usize, outcome: &'a Outcome) -> Self {
        let (status, id, message) = match outcome {
            Outcome::Created(id) => ("created", Some(*id), None),
            Outcome::Updated(id) => ("updated", Some(*id), None),
            Outcome::Conflict(message) => ("conflict", None, Some(message.as_str())),
            Outcome::Invalid(message) => ("error", None, Some(message.as_str())),
            Outcome::Nameless { has_external_id: true } => {
                ("error", None, Some("No client has this external_id yet; send first_name or last_name to add one."))
            }
            Outcome::Nameless { has_external_id: false } => {
                ("error", None, Some("A client needs first_name or last_name, or the external_id of a saved client."))
            }
        };
        Self { index, status, id, message }
    }
}
