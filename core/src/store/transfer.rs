//! An account as rows, to move or copy it between stores: pages of an export, and an import that goes on where it
//! ended (S25).

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::key::KeySecretCheck;

/// A page of an account's rows.
///
/// Its `Debug` form shows people: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportPage {
    /// Differs between two pages if the account changed in between: then the pages do not fit together.
    pub version: String,
    /// The account itself, in the first page only.
    pub head: Option<ExportHead>,
    /// Rows as JSON arrays: the name of the table, then a value for each of its columns.
    pub rows: Vec<String>,
    /// The place after the last row, as JSON; `None` at the end.
    pub next: Option<String>,
}

/// The account of an export, and what the values of its rows mean.
///
/// Its `Debug` form shows people: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportHead {
    /// The columns of each table: a JSON object of arrays.
    pub tables: String,
    /// The row of the account: a JSON array.
    pub row: String,
    /// Whether the account is suspended.
    pub is_suspended: bool,
}

/// An account that is to be imported.
///
/// Its `Debug` form shows people: never log it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountImport {
    /// The head of its export.
    pub head: ExportHead,
    /// The digest of the head alone.
    pub head_digest: TransferDigest,
    /// The digest of the head and all rows.
    pub digest: TransferDigest,
    /// How many rows follow the head, from 0 to 2^53 − 1.
    pub row_count: i64,
    /// The key secrets that its keys were made with. None if its keys are revoked.
    pub key_secrets: Vec<KeySecretCheck>,
    /// Whether its keys are revoked, so that they open nothing here.
    pub revokes_keys: bool,
}

/// How far the import of an account has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountImportState {
    /// The account.
    pub account: Uuid,
    /// The digest of the whole import.
    pub digest: TransferDigest,
    /// How many rows it has.
    pub row_count: i64,
    /// How many rows are saved.
    pub received_rows: i64,
    /// Whether it has ended, and the account is as its head says.
    pub is_done: bool,
}

/// A digest of a head and of rows after it: SHA-256 of the head's text, and with each row SHA-256 of the digest before
/// it and of the row's text. So it can be continued from any row.
///
/// ```
/// use matterbook_core::store::TransferDigest;
/// let digest = TransferDigest::of_head("{}").and_row("[1]").and_row("[2]");
/// assert_eq!(TransferDigest::parse(&digest.to_text()), Some(digest));
/// assert_ne!(digest, TransferDigest::of_head("{}").and_row("[1][2]"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferDigest([u8; 32]);

impl TransferDigest {
    /// The digest of a head without rows.
    #[must_use]
    pub fn of_head(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }

    /// The digest with one more row.
    #[must_use]
    pub fn and_row(self, text: &str) -> Self {
        Self(Sha256::new_with_prefix(self.0).chain_update(text).finalize().into())
    }

    /// 64 hexadecimal digits.
    #[must_use]
    pub fn to_text(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The digest of 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        for (byte, start) in bytes.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(text.get(start..start + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_that_of_another_language() {
        let digest = TransferDigest::of_head("{}").and_row("[\"clients\"]");
        // From `hashlib` of Python.
        assert_eq!(digest.to_text(), "0b6f14c8a04293db6e37a86311541306acc8314da2e5d526e6e42a5e4fd06e93");
        for text in ["", "ab", &"g".repeat(64), &"+a".repeat(32), &"ä".repeat(32)] {
            assert_eq!(TransferDigest::parse(text), None, "{text}");
        }
    }
}
