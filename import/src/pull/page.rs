//! A page of a list, as the service answers it.

use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// What both lists answer.
#[derive(Debug, Deserialize)]
pub struct Page {
    /// Its records, as they are written.
    #[serde(alias = "clients", alias = "prospects")]
    pub rows: Vec<Box<RawValue>>,
    /// Where the next page begins; `None` at the end of the list.
    pub next_cursor: Option<String>,
}

impl Page {
    /// The page in the body of an answer; `None` where there is none.
    #[must_use]
    pub fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

/// Half of a SHA-256: enough that no two rows of a page are ever taken for each other.
#[must_use]
pub fn digest(row: &RawValue) -> String {
    let digest = Sha256::digest(row.get());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
