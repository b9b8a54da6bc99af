//! The file of a preview, with which the same rows are sent only if each becomes what the preview showed
//! (rules F50 and F51).

use serde::{Deserialize, Serialize};

use super::{Counts, Subject};

/// A preview of a push. It contains no client and no key.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    matterbook_plan: Subject,
    /// The requests, in the order of the rows.
    pub batches: Vec<PlannedBatch>,
}

/// One request of a preview.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedBatch {
    /// How many rows it has, including those that cannot be sent.
    pub rows: usize,
    /// The plan of the service (rule X14); `None` where no row can be sent.
    pub plan: Option<String>,
    /// What its rows would become.
    pub counts: Counts,
}

impl PlanFile {
    /// A preview of the subject.
    #[must_use]
    pub fn new(subject: &Subject, batches: Vec<PlannedBatch>) -> Self {
        Self { matterbook_plan: subject.clone(), batches }
    }

    /// The requests of the preview at `place`, if it is one of the subject.
    ///
    /// # Errors
    /// A sentence when it is not.
    pub fn of(found: serde_json::Result<Self>, place: &str, subject: &Subject) -> Result<Vec<PlannedBatch>, String> {
        let Ok(file) = found else {
            return Err(format!("{place} is not a preview of push; --plan {place} writes one."));
        };
        match file.matterbook_plan.difference(subject) {
            None => Ok(file.batches),
            Some(difference) => Err(format!(
                "{place} is no preview of this push, because {difference}. Make another one with --plan {place}."
            )),
        }
    }
}
