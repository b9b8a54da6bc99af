//! Bringing a file's schema up to date, whole or not at all.

use std::path::Path;

use matterbook_core::platform::Platform as _;
use matterbook_store_sql::migrations::{CREATE_RECORD, CURRENT_NUMBER, RECORD, pending};
use rusqlite::{Connection, TransactionBehavior};

use super::DatabaseError;
use crate::platform::SystemPlatform;

/// Applies what the file still lacks, in one transaction. A file that is up to date is only read.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), DatabaseError> {
    if needed(connection, path)?.is_empty() {
        return Ok(());
    }
    let failed = |error: rusqlite::Error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    transaction.execute_batch(CREATE_RECORD).map_err(failed)?;
    // Another process may have done it while this one waited for its turn.
    for migration in needed(&transaction, path)? {
        let now = SystemPlatform::default().now().micros();
        transaction.execute_batch(migration.sql).map_err(failed)?;
        transaction.execute(RECORD, (migration.number, migration.name, now)).map_err(failed)?;
    }
    transaction.commit().map_err(failed)
}

fn needed(
    connection: &Connection,
    path: &Path,
) -> Result<&'static [matterbook_store_sql::migrations::Migration], DatabaseError> {
    let current = match connection.table_exists(None, "schema_migrations") {
        Ok(true) => connection.query_row(CURRENT_NUMBER, [], |row| row.get(0)),
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    };
    let current = current.map_err(|error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() })?;
    pending(current).map_err(|newer| DatabaseError::Newer {
        path: path.to_owned(),
        found: newer.found,
        known: newer.known,
    })
}
