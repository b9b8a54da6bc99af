//! The state with which the next pull resumes.

use serde::{Deserialize, Serialize};

use super::{Format, Listing};

/// What is pulled, and from where. A pull resumes only a state with an equal subject.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The list.
    pub listing: Listing,
    /// The output format.
    pub format: Format,
    /// Whether the cells of a table are made safe for spreadsheets.
    pub has_safe_cells: bool,
    /// The base address.
    pub service: String,
    /// The account.
    pub account: String,
}

/// The progress of a copy. It contains no client, prospect or key: rows are recognized by their digests.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    matterbook_pull: Subject,
    /// The last cursor that was not `null`; `None` before the second page.
    pub cursor: Option<String>,
    /// The digests of the rows after the cursor that are written already: those of the last page.
    pub rows_after_cursor: Vec<String>,
    /// The length of the output file at that point.
    pub output_bytes: u64,
    /// Whether the pull reached the end of the list. If not, bytes after `output_bytes` are dropped.
    pub is_finished: bool,
}

impl State {
    /// The state before the first pull.
    #[must_use]
    pub const fn new(subject: Subject) -> Self {
        let rows_after_cursor = Vec::new();
        Self { matterbook_pull: subject, cursor: None, rows_after_cursor, output_bytes: 0, is_finished: false }
    }

    /// The state found at `place`, if it belongs to the subject.
    ///
    /// # Errors
    /// A sentence when it is not such a state.
    pub fn resume(found: serde_json::Result<Self>, place: &str, subject: &Subject) -> Result<Self, String> {
        let Ok(state) = found else {
            return Err(format!("{place} is not a state of pull: name another file with --state."));
        };
        match state.matterbook_pull.difference(subject) {
            None => Ok(state),
            Some(difference) => Err(format!(
                "{place} goes on with another pull: {difference}. Name another file with --state, or add --restart to \
                 start over."
            )),
        }
    }
}

impl Subject {
    /// The first difference of the subjects, in words.
    fn difference(&self, current: &Self) -> Option<String> {
        if self.listing != current.listing {
            return Some(format!("it was of {}", self.listing.name()));
        }
        if self.format != current.format {
            return Some(format!("it was written as {}", self.format.name()));
        }
        if self.has_safe_cells != current.has_safe_cells {
            let with = if self.has_safe_cells { "with" } else { "without" };
            return Some(format!("it was written {with} --safe-cells"));
        }
        if self.service != current.service {
            return Some(format!("it was from {}", self.service));
        }
        (self.account != current.account).then(|| format!("the key was of another account, {}", self.account))
    }
}
