//! What is kept of a push while it is under way, so that the same command goes on after an
//! interruption.

use serde::{Deserialize, Serialize};

use super::{batch::hex, counts::Counts};

/// What is pushed, and where to. A state goes on only where all of it is as it was.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Of the file's bytes.
    pub file_sha256: String,
    /// Which column goes to which field, as text.
    pub mapping: String,
    /// The base address.
    pub service: String,
    /// Whose clients they are.
    pub account: String,
}

/// How far a push is. There is nothing of a client or a key in it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    matterbook_push: Subject,
    /// Begins the `Idempotency-Key` of every batch; another one for each push.
    pub idempotency_base: String,
    /// Rows of the file that were answered, or could not be read.
    pub rows_done: u64,
    /// How long the error file was by then.
    pub errors_bytes: u64,
    /// What became of the rows that are done.
    pub counts: Counts,
}

impl State {
    /// The state of a push that begins, with random bytes that no other push has.
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

    /// The state that was found at `place`, if it is of an interrupted push of the subject.
    ///
    /// # Errors
    /// A sentence when it is something else.
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
    /// In words, what is not as it was.
    fn difference(&self, current: &Self) -> Option<String> {
        if self.file_sha256 != current.file_sha256 {
            return Some("the file has changed since".to_owned());
        }
        if self.mapping != current.mapping {
            return Some("its columns were mapped differently".to_owned());
        }
        if self.service != current.service {
            return Some(format!("it was sent to {}", self.service));
        }
        (self.account != current.account).then(|| format!("the key was of another account, {}", self.account))
    }
}
