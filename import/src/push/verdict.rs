//! The service's response to a batch.

use serde::Deserialize;

use super::{Batch, Counts, Refused};

/// The result of one client.
#[derive(Clone, Debug, Deserialize)]
pub struct Verdict {
    /// Its status.
    pub status: VerdictStatus,
    /// Why it was not saved.
    pub message: Option<String>,
    /// The names of the fields that changed; `None` in a saved answer that is too long for explanations (rule I7).
    pub changed: Option<Vec<String>>,
    /// How its client was found: `external_id` or `name_address_zip`; `None` as above, and where it was not found.
    pub matched_by: Option<String>,
    /// The id of its client. In a dry run only a saved client has one.
    pub id: Option<String>,
    /// The ids of the clients in the way of a conflict. In a dry run only of saved ones.
    #[serde(default)]
    pub candidates: Vec<String>,
}

impl Verdict {
    /// A row that is invalid, as this message says.
    #[must_use]
    pub const fn error(message: String) -> Self {
        let (changed, matched_by, id) = (None, None, None);
        Self { status: VerdictStatus::Error, message: Some(message), changed, matched_by, id, candidates: Vec::new() }
    }
}

/// The status of one client.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum VerdictStatus {
    /// A new client.
    Created,
    /// A client that matched.
    Updated,
    /// Not saved: it is ambiguous which client it means.
    Conflict,
    /// Not saved: it is invalid.
    Error,
}

/// One verdict per sent client, in their order; `None` if the response does not come from Matterbook.
///
/// # Errors
/// What is wrong with a response of Matterbook, as the rest of a sentence.
pub fn verdicts(body: &[u8], clients: usize) -> Result<Option<Vec<Verdict>>, String> {
    #[derive(Deserialize)]
    struct Body {
        results: Vec<Indexed>,
    }
    #[derive(Deserialize)]
    struct Indexed {
        index: usize,
        #[serde(flatten)]
        verdict: Verdict,
    }
    let Ok(Body { results }) = serde_json::from_slice(body) else { return Ok(None) };
    if results.len() != clients {
        return Err(format!("it has {} results for {clients} clients.", results.len()));
    }
    if results.iter().enumerate().any(|(place, result)| result.index != place) {
        return Err("its results are not in the order of the clients.".to_owned());
    }
    Ok(Some(results.into_iter().map(|result| result.verdict).collect()))
}

/// The plan in the response to a dry run (rule X14).
#[must_use]
pub fn plan(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Body {
        plan: String,
    }
    serde_json::from_slice(body).ok().map(|Body { plan }| plan)
}

/// Adds a batch's verdicts to the counts, and returns the rows that were not saved.
pub fn refused<'a>(batch: &'a Batch, verdicts: Vec<Verdict>, counts: &mut Counts) -> Vec<Refused<'a>> {
    let mut verdicts = verdicts.into_iter();
    let mut refused = Vec::new();
    for row in batch.rows() {
        let verdict = match row.sendable() {
            Ok(_) => verdicts.next(),
            Err(message) => Some(Verdict::error(message)),
        };
        let Some(Verdict { status, message, changed, .. }) = verdict else { break };
        let status = match status {
            VerdictStatus::Created => {
                counts.created += 1;
                continue;
            }
            VerdictStatus::Updated => {
                let is_unchanged = changed.is_some_and(|changed| changed.is_empty());
                *(if is_unchanged { &mut counts.unchanged } else { &mut counts.updated }) += 1;
                continue;
            }
            VerdictStatus::Conflict => {
                counts.conflict += 1;
                "conflict"
            }
            VerdictStatus::Error => {
                counts.error += 1;
                "error"
            }
        };
        refused.push(Refused { row, status, reason: message.unwrap_or_default() });
    }
    refused
}
