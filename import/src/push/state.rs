//! The state of an unfinished push, with which the same command resumes after an interruption.

use serde::{Deserialize, Serialize};

use super::{Settlements, batch::hex, counts::Counts};

/// What is pushed, and where to. A push resumes only a state with an equal subject.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The digest of the file's bytes.
    pub file_sha256: String,
    /// The use of each column, as text.
    pub mapping: String,
    /// What several settled dates of a client mean; it changes the order of the rows.
    pub settlements: Settlements,
    /// The base address.
    pub service: String,
    /// The account.
    pub account: String,
}

/// The progress of a push. It contains no client and no key.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    matterbook_push: Subject,
    /// The prefix of the `Idempotency-Key` of every batch, different for each push.
    pub idempotency_base: String,
    /// The number of rows that were answered or could not be read.
    pub rows_done: u64,
    /// The length of the error file at that point.
    pub errors_bytes: u64,
    /// The results of the finished rows.
    pub counts: Counts,
}

impl State {
    /// The state of a new push, with random bytes that make its keys unique.
    #[must_use]
    pub fn new(subject: &Subject, random: [u8; 16]) -> Self {
        Self {
            matterbook_push: subject.clone(),
            idempotency_base: hex(&random),
            rows_done: 0,
            errors_bytes: 0,
            counts: Counts::default(),
        }
    }

    /// The state found at `place`, if it belongs to an interrupted push of the subject.
    ///
    /// # Errors
    /// A sentence when it is not such a state.
    pub fn resume(found: serde_json::Result<Self>, place: &str, subject: &Subject) -> Result<Self, String> {
        let Ok(state) = found else {
            return Err(format!("{place} is not a state of push: name another file with --state."));
        };
        match state.matterbook_push.difference(subject) {
            None => Ok(state),
            Some(difference) => Err(format!(
                "By {place}, a push was interrupted after {} rows, but {difference}. Go on as it was begun, or give \
                 --restart to send the whole file: that is safe, since known clients are found.",
                state.rows_done
            )),
        }
    }
}

impl Subject {
    /// The first difference of the subjects, in words.
    pub(super) fn difference(&self, current: &Self) -> Option<String> {
        if self.file_sha256 != current.file_sha256 {
            return Some("the file has changed since".to_owned());
        }
        if self.mapping != current.mapping {
            return Some("its columns were mapped differently".to_owned());
        }
        if self.settlements != current.settlements {
            return Some("--settlements was different".to_owned());
        }
        if self.service != current.service {
            return Some(format!("it was sent to {}", self.service));
        }
        (self.account != current.account).then(|| format!("the key was of another account, {}", self.account))
    }
}
