//! Where the next pull goes on.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Format, Listing, PullError};
use crate::durable_file;

/// What is pulled, and from where. A state goes on only where all of it is as it was.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    /// Which list.
    pub(crate) listing: Listing,
    /// How it is written.
    pub(crate) format: Format,
    /// The base address.
    pub(crate) service: String,
    /// Whose list it is.
    pub(crate) account: String,
}

/// How far a copy is. There is nothing of a client, a prospect or a key in it: rows are known again by
/// their digests.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) matterbook_pull: Subject,
    /// The last one that was not `null`; `None` before the second page.
    pub(super) cursor: Option<String>,
    /// The rows behind the cursor that were written already: those of the last page.
    pub(super) rows_after_cursor: Vec<String>,
    /// How long the output file was by then.
    pub(super) output_bytes: u64,
    /// Whether the walk came to its end. What stands behind `output_bytes` is of an interrupted one
    /// otherwise.
    pub(super) is_finished: bool,
}

impl State {
    /// Nothing was pulled.
    pub(super) const fn new(subject: Subject) -> Self {
        let rows_after_cursor = Vec::new();
        Self { matterbook_pull: subject, cursor: None, rows_after_cursor, output_bytes: 0, is_finished: false }
    }

    /// What an earlier pull of the subject left; `None` where there is nothing.
    pub(super) fn find(path: &Path, subject: &Subject) -> Result<Option<Self>, PullError> {
        let found = durable_file::read_json(path).map_err(|error| PullError::State(path.to_owned(), error))?;
        let shown = path.display();
        let Some(found) = found else { return Ok(None) };
        let Ok(state): Result<Self, _> = found else {
            return Err(PullError::Refused(format!("{shown} is not a state of pull: name another file with --state.")));
        };
        match state.matterbook_pull.difference(subject) {
            None => Ok(Some(state)),
            Some(difference) => Err(PullError::Refused(format!(
                "{shown} goes on with another pull: {difference}. Name another file with --state, or give --restart to \
                 begin anew."
            ))),
        }
    }

    /// Puts it on the disk.
    pub(super) fn write(&self, path: &Path) -> Result<(), PullError> {
        durable_file::replace_by_json(path, self).map_err(|error| PullError::State(path.to_owned(), error))
    }
}

impl Subject {
    /// In words, what is not as it was.
    fn difference(&self, current: &Self) -> Option<String> {
        if self.listing != current.listing {
            return Some(format!("it was of {}", self.listing.name()));
        }
        if self.format != current.format {
            return Some(format!("it was written as {}", self.format.name()));
        }
        if self.service != current.service {
            return Some(format!("it was from {}", self.service));
        }
        (self.account != current.account).then(|| format!("the key was of another account, {}", self.account))
    }
}
