//! Accounts whose last commit is far ahead of the clock (rule U19).
//!
//! The times of an account's commits only grow. A clock that was once years ahead leaves them there, whatever it
//! says later.

use matterbook_core::{store::StoreError, time::Timestamp};
use matterbook_store_sql::examine::ACCOUNTS_AHEAD;
use rusqlite::Connection;
use uuid::Uuid;

use super::{Database, store::failed};

/// The usual drift of a clock is far below it.
const AHEAD_SECONDS_MIN: i64 = 3_600;

/// The accounts, the one that is most ahead first, with the times of their last commits.
pub(crate) fn accounts_ahead(connection: &Connection, now: Timestamp) -> rusqlite::Result<Vec<(Uuid, Timestamp)>> {
    let mut statement = connection.prepare(ACCOUNTS_AHEAD)?;
    let rows = statement.query_map([now.plus_seconds(AHEAD_SECONDS_MIN).micros()], |row| {
        Ok((Uuid::from_bytes(row.get(0)?), Timestamp::from_micros(row.get(1)?)))
    })?;
    rows.collect()
}

impl Database {
    /// Logs the accounts whose last commit is far ahead of the clock.
    pub(crate) fn log_accounts_ahead(&self, now: Timestamp) -> Result<(), StoreError> {
        let accounts =
            self.readers.with(|reader| accounts_ahead(&reader.connection, now).map_err(|error| failed(&error)))?;
        for (account, last_commit_at) in accounts {
            tracing::warn!(%account, %last_commit_at, "the account's last commit is far ahead of the clock");
        }
        Ok(())
    }
}
