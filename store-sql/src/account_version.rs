//! The version of an account that a decision read.

use matterbook_core::{store::StoreError, time::Timestamp};

use crate::{bind, read::Row, value::Value};

/// What a commit builds on. Every commit of the account, by any process, changes `last_commit_at`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AccountVersion {
    pub(crate) account_id: i64,
    pub(crate) last_commit_at: Timestamp,
    pub(crate) last_erasure_at: Option<Timestamp>,
    swept_at: i64,
    /// As it was read.
    swept_id: Value,
}

impl AccountVersion {
    /// `id`, `last_commit_at`, `last_erasure_at`, `swept_at`, `hex(swept_id)`.
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            account_id: row.integer()?,
            last_commit_at: row.time()?,
            last_erasure_at: row.optional_time()?,
            swept_at: row.integer()?,
            swept_id: row.value(),
        })
    }

    /// The place after which the pruning round goes on: the beginning, when it came to the end.
    pub(crate) fn sweep_start(&self) -> (Value, Value) {
        if self.swept_at == Timestamp::MAX.micros() {
            bind::place(None)
        } else {
            (Value::Integer(self.swept_at), self.swept_id.clone())
        }
    }
}
