//! The operator's log (rule S13).

use serde::Serialize;
use uuid::Uuid;

use super::super::Retention;
use crate::time::Timestamp;

/// An entry of the append-only operator log (S13). What the command creates or changes has the same time,
/// moved past the last commit where S6 asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The entry's id.
    pub id: Uuid,
    /// The time of the request.
    pub at: Timestamp,
    /// Who acts (rule O3).
    pub actor: String,
    /// The action, such as `account.create`.
    pub action: &'static str,
    /// The subject: the id of the account, login, key, client or prospect, or a count.
    pub subject: String,
    /// The id of the request.
    pub request_id: Uuid,
    /// How long such entries are kept.
    pub retention: Retention,
}

/// A log entry read back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogRecord {
    /// The entry's id.
    pub id: Uuid,
    /// The time of the request.
    pub at: Timestamp,
    /// Who acted.
    pub actor: String,
    /// The action.
    pub action: String,
    /// The subject.
    pub subject: String,
    /// The id of the request.
    pub request_id: Uuid,
}
