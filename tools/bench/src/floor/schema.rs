//! The service's tables and indexes, from its migrations, and its durability.

use std::path::Path;

use matterbook_store_sql::migrations::MIGRATIONS;
use rusqlite::{Connection, config::DbConfig};
use serde::{Deserialize, Serialize};

use crate::Outcome;

/// The settings of a bare loop's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tuning {
    /// Write-ahead log and full durability; all else at SQLite's defaults.
    Plain,
    /// The same with the service's cache and log size.
    AsService,
}

/// Opens a file with the service's tables; creates it when missing.
///
/// # Errors
/// When it cannot be.
pub fn open(file: &Path, tuning: Tuning) -> Outcome<Connection> {
    let connection = Connection::open(file)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    // SQLite never prepares a statement again for other values, as in the service.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    if tuning == Tuning::AsService {
        connection.pragma_update(None, "wal_autocheckpoint", 4_096)?;
        connection.pragma_update(None, "cache_size", -16 * 1_024)?;
    }
    if !connection.table_exists(None, "clients")? {
        create_tables(&connection)?;
    }
    Ok(connection)
}

/// Applies the service's migrations.
pub(crate) fn create_tables(connection: &Connection) -> Outcome<()> {
    for migration in MIGRATIONS {
        connection.execute_batch(migration.sql)?;
    }
    Ok(())
}
