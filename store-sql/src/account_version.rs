//! The version of an account that a decision read.

use matterbook_core::{store::StoreError, time::Timestamp};

use crate::read::Row;

/// What a commit builds on. Every commit of the account, by any process, changes `last_commit_at`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AccountVersion {
    pub(crate) account_id: i64,
    pub(crate) last_commit_at: Timestamp,
    pub(crate) last_erasure_at: Option<Timestamp>,
    /// `None` where no client has ever had an alias.
    pub(crate) last_alias_at: Option<Timestamp>,
}

impl AccountVersion {
    /// `id`, `last_commit_at`, `last_erasure_at`, `last_alias_at`.
    pub(crate) fn read(row: &mut Row) -> Result<Self, StoreError> {
        Ok(Self {
            account_id: row.integer()?,
            last_commit_at: row.time()?,
            last_erasure_at: row.optional_time()?,
            last_alias_at: row.optional_time()?,
        })
    }
}
