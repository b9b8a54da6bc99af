//! Migrates a file's schema in one transaction.

use std::path::Path;

use matterbook_core::platform::Platform as _;
use matterbook_store_sql::migrations::{CREATE_RECORD, CURRENT_NUMBER, Migration, NewerSchema, RECORD, pending_of};
use rusqlite::{Connection, TransactionBehavior};

use super::DatabaseError;
use crate::platform::SystemPlatform;

/// Applies the migrations that the file lacks, in one transaction. A file that is up to date is only read.
pub(super) fn migrate(connection: &mut Connection, path: &Path, migrations: &[Migration]) -> Result<(), DatabaseError> {
    if needed(connection, path, migrations)?.is_empty() {
        return Ok(());
    }
    let failed = |error: rusqlite::Error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    transaction.execute_batch(CREATE_RECORD).map_err(failed)?;
    // Another process may have migrated the file while this one waited for the lock.
    for migration in needed(&transaction, path, migrations)? {
        let now = SystemPlatform::default().now().micros();
        transaction.execute_batch(migration.sql).map_err(failed)?;
        transaction.execute(RECORD, (migration.number, migration.name, now)).map_err(failed)?;
    }
    transaction.commit().map_err(failed)
}

/// The migrations that the file lacks.
pub(super) fn needed<'m>(
    connection: &Connection,
    path: &Path,
    migrations: &'m [Migration],
) -> Result<&'m [Migration], DatabaseError> {
    let current = match connection.table_exists(None, "schema_migrations") {
        Ok(true) => connection.query_row(CURRENT_NUMBER, [], |row| row.get(0)),
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    };
    let current = current.map_err(|error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() })?;
    pending_of(migrations, current).map_err(|NewerSchema { found, known }| DatabaseError::Newer {
        path: path.to_owned(),
        found,
        known,
    })
}
