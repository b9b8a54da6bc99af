//! What became of one client, as callers read it (reference section 2.2).

use uuid::Uuid;

use crate::{json::push_text, plan::Outcome};

/// What became of one client of a batch, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpsertStatus {
    /// Nobody was found, and it is new.
    Created,
    /// It was found, changed or not.
    Updated,
    /// Somebody is in the way; nothing is saved.
    Conflict,
    /// It cannot be read or says too little; nothing is saved.
    Error,
}

impl UpsertStatus {
    /// Every status, in the reference's order.
    pub const ALL: [Self; 4] = [Self::Created, Self::Updated, Self::Conflict, Self::Error];

    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Conflict => "conflict",
            Self::Error => "error",
        }
    }
}

/// The length of a result without a message, in bytes.
pub(super) const RESULT_BYTES: usize = 90;

/// Writes the JSON of one result. Piece by piece: an answer holds up to 500 of them, of which only a
/// message has anything to escape.
pub(super) fn push(json: &mut String, index: usize, outcome: &Outcome) {
    let (status, id, message) = match outcome {
        Outcome::Created(id) => (UpsertStatus::Created, Some(id), None),
        Outcome::Updated(id) => (UpsertStatus::Updated, Some(id), None),
        Outcome::Conflict(message) => (UpsertStatus::Conflict, None, Some(message.as_str())),
        Outcome::Invalid(message) => (UpsertStatus::Error, None, Some(message.as_str())),
        Outcome::Nameless { has_external_id: true } => (
            UpsertStatus::Error,
            None,
            Some("No client has this external_id yet; send first_name or last_name to add one."),
        ),
        Outcome::Nameless { has_external_id: false } => (
            UpsertStatus::Error,
            None,
            Some("A client needs first_name or last_name, or the external_id of a saved client."),
        ),
    };
    for part in ["{\"index\":", itoa::Buffer::new().format(index), ",\"status\":\"", status.name(), "\""] {
        json.push_str(part);
    }
    if let Some(id) = id {
        json.push_str(",\"id\":\"");
        json.push_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
        json.push('"');
    }
    if let Some(message) = message {
        json.push_str(",\"message\":");
        push_text(json, message);
    }
    json.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_json_whatever_its_message_says() {
        let message = "external_id \"A \\ 1\"\nis taken";
        let mut json = String::new();
        push(&mut json, 7, &Outcome::Conflict(message.to_owned()));
        let result: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(result, serde_json::json!({"index": 7, "status": "conflict", "message": message}));
        json.clear();
        push(&mut json, 0, &Outcome::Created(Uuid::from_u128(1)));
        assert_eq!(json, r#"{"index":0,"status":"created","id":"00000000-0000-0000-0000-000000000001"}"#);
    }
}
