//! A page of a list, as the service sends it.

use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

/// The body of a page of either list.
#[derive(Debug, Deserialize)]
pub struct Page {
    /// The records' unparsed JSON.
    #[serde(alias = "clients", alias = "prospects")]
    pub rows: Vec<Box<RawValue>>,
    /// The cursor of the next page; `None` at the end of the list.
    pub next_cursor: Option<String>,
}

impl Page {
    /// The page in a response's body; `None` if it is not a page.
    #[must_use]
    pub fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

/// Half of a SHA-256, long enough to distinguish all rows of a page.
#[must_use]
pub fn digest(row: &RawValue) -> String {
    let digest = Sha256::digest(row.get());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
