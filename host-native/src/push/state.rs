//! What is kept beside the input while a push is under way, so that the same command goes on after an
//! interruption.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{PushError, batch::hex, counts::Counts};
use crate::{durable_file, private_file::with_suffix};

/// What is pushed, and where to. A state goes on only where all of it is as it was.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    /// Of the file's bytes.
    pub(crate) file_sha256: String,
    /// Which column goes to which field, as text.
    pub(crate) mapping: String,
    /// The base address.
    pub(crate) service: String,
    /// Whose clients they are.
    pub(crate) account: String,
}

/// How far a push is. There is nothing of a client or a key in it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    matterbook_push: Subject,
    /// Begins the `Idempotency-Key` of every batch; another one for each push.
    pub(super) idempotency_base: String,
    /// Rows of the file that were answered, or could not be read.
    pub(super) rows_done: u64,
    /// How long the error file was by then.
    pub(super) errors_bytes: u64,
    pub(super) counts: Counts,
}

impl State {
    /// The state of a push that begins.
    pub(super) fn new(subject: &Subject) -> Result<Self, PushError> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| PushError::Refused(format!("No random bytes: {error}.")))?;
        Ok(Self {
            matterbook_push: subject.clone(),
            idempotency_base: hex(&random),
            rows_done: 0,
            errors_bytes: 0,
            counts: Counts::default(),
        })
    }

    /// The state that an interrupted push of the subject left; `None` where there is none.
    pub(super) fn find(path: &Path, subject: &Subject) -> Result<Option<Self>, PushError> {
        let found = durable_file::read_json(path).map_err(|error| PushError::State(path.to_owned(), error))?;
        let shown = path.display();
        let Some(found) = found else { return Ok(None) };
        let Ok(state): Result<Self, _> = found else {
            return Err(PushError::Refused(format!("{shown} is not a state of push: name another file with --state.")));
        };
        match state.matterbook_push.difference(subject) {
            None => Ok(Some(state)),
            Some(difference) => Err(PushError::Refused(format!(
                "By {shown}, a push was interrupted after {} rows, but {difference}. Go on as it was begun, or give \
                 --restart to send the whole file: that is safe, since known clients are found.",
                state.rows_done
            ))),
        }
    }

    /// Puts it on the disk.
    pub(super) fn write(&self, path: &Path) -> Result<(), PushError> {
        durable_file::replace_by_json(path, self).map_err(|error| PushError::State(path.to_owned(), error))
    }
}

impl Subject {
    /// In words, what is not as it was.
    fn difference(&self, current: &Self) -> Option<String> {
        if self.file_sha256 != current.file_sha256 {
            return Some("the file has changed since".to_owned());
        }
        if self.mapping != current.mapping {
            return Some("its columns were mapped otherwise".to_owned());
        }
        if self.service != current.service {
            return Some(format!("it was sent to {}", self.service));
        }
        (self.account != current.account).then(|| format!("the key was of another account, {}", self.account))
    }
}

/// Where the state is kept when nobody says.
pub(super) fn default_path(file: &Path) -> PathBuf {
    with_suffix(file, ".push-state")
}
