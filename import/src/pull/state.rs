//! Where the next pull goes on.

use serde::{Deserialize, Serialize};

use super::{Format, Listing};

/// What is pulled, and from where. A state goes on only where all of it is as it was.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Which list.
    pub listing: Listing,
    /// How it is written.
    pub format: Format,
    /// The base address.
    pub service: String,
    /// Whose list it is.
    pub account: String,
}

/// How far a copy is. There is nothing of a client, a prospect or a key in it: rows are known again by
/// their digests.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    matterbook_pull: Subject,
    /// The last one that was not `null`; `None` before the second page.
    pub cursor: Option<String>,
    /// The rows behind the cursor that were written already: those of the last page.
    pub rows_after_cursor: Vec<String>,
    /// How long the output file was by then.
    pub output_bytes: u64,
    /// Whether the walk came to its end. If not, the bytes behind `output_bytes` are dropped.
    pub is_finished: bool,
}

impl State {
    /// Nothing was pulled.
    #[must_use]
    pub const fn new(subject: Subject) -> Self {
        let rows_after_cursor = Vec::new();
        Self { matterbook_pull: subject, cursor: None, rows_after_cursor, output_bytes: 0, is_finished: false }
    }

    /// The state that was found at `place`, if it is of a pull of the subject.
    ///
    /// # Errors
    /// A sentence when it is something else.
    pub fn resume(found: serde_json::Result<Self>, place: &str, subject: &Subject) -> Result<Self, String> {
        let Ok(state) = found else {
            return Err(format!("{place} is not a state of pull: name another file with --state."));
        };
        match state.matterbook_pull.difference(subject) {
            None => Ok(state),
            Some(difference) => Err(format!(
                "{place} goes on with another pull: {difference}. Name another file with --state, or give --restart to \
                 begin anew."
            )),
        }
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
