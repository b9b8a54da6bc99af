//! Opening the file: readable by its owner only, with a write-ahead log, every commit synced before it is
//! answered.

use std::{fs::Permissions, io::ErrorKind, os::unix::fs::PermissionsExt as _, path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use super::DatabaseError;
use crate::private_file::{owners_only, with_suffix};

/// How long a connection waits for another process that writes, such as the command line.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// What the file of the log keeps when the log begins again: room for the next checkpoint's pages.
const LOG_KEPT_BYTES: u32 = 32 << 20;
/// The cache of the connection that writes: it holds what a commit of 2,000 clients changes in a large file.
const WRITER_CACHE_KIB: i32 = 16 * 1_024;
/// The cache of a connection that reads.
const READER_CACHE_KIB: i32 = 8 * 1_024;
/// More than the store has statements, so that each is prepared once per connection.
const PREPARED_STATEMENTS: usize = 256;

/// Creates an empty file that only its owner may read or write, whatever the umask. SQLite gives its
/// `-wal` and `-shm` files the permissions of the database.
///
/// # Errors
/// When the file exists or cannot be created.
pub(super) fn create_private_file(path: &Path) -> std::io::Result<()> {
    let file = owners_only().write(true).create_new(true).open(path)?;
    // A umask can take from the owner, too.
    file.set_permissions(Permissions::from_mode(0o600))
}

/// Removes the permissions of other users from an existing file, and from its log, which a crash may have left.
fn close_to_others(path: &Path) -> std::io::Result<()> {
    for ending in ["", "-wal", "-shm"] {
        let name = with_suffix(path, ending);
        let mode = match std::fs::metadata(&name) {
            Ok(metadata) => metadata.permissions().mode() & 0o7777,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if mode & 0o077 != 0 {
            std::fs::set_permissions(&name, Permissions::from_mode(mode & 0o700)).map_err(|error| {
                let words = "others than its owner may read or write it, and that cannot be changed";
                std::io::Error::new(error.kind(), format!("{words}: {error}"))
            })?;
        }
    }
    Ok(())
}

/// The connection that writes. Creates the file where there is none.
pub(super) fn open_writer(path: &Path) -> Result<Connection, DatabaseError> {
    let is_private = match create_private_file(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => close_to_others(path),
        created => created,
    };
    is_private.map_err(|error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() })?;
    open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, |connection| {
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        // The writer checkpoints when it has answered.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "journal_size_limit", LOG_KEPT_BYTES)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // What an operator erased is overwritten, not left behind in a free page.
        connection.pragma_update(None, "secure_delete", true)?;
        // What a savepoint keeps for its undoing stays in memory; in a file it would be written
        // with every commit, to be thrown away.
        connection.pragma_update(None, "temp_store", "memory")?;
        connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)
    })
}

/// A connection that only reads; with the write-ahead log it never waits for the writer.
pub(super) fn open_reader(path: &Path) -> Result<Connection, DatabaseError> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, |connection| {
        connection.pragma_update(None, "query_only", true)?;
        connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)
    })
}

fn open(
    path: &Path,
    access: OpenFlags,
    prepare: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<Connection, DatabaseError> {
    // Each connection is used by one thread at a time, so SQLite need not lock it too.
    let access = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, access)
        .and_then(|connection| {
            connection.busy_timeout(BUSY_TIMEOUT)?;
            // A prepared statement keeps its plan whatever is bound, as store-sql asks for.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
            connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
            prepare(&connection)?;
            Ok(connection)
        })
        .map_err(|error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files as a kill leaves them, opened again.
    fn after_a_kill(path: &Path) -> Connection {
        let copy = path.with_extension("copy");
        for ending in ["", "-wal"] {
            std::fs::copy(with_suffix(path, ending), with_suffix(&copy, ending)).unwrap();
        }
        open_writer(&copy).unwrap()
    }

    /// A transaction that outgrows the cache is in the log before it is committed, and writes pages there again.
    #[test]
    fn a_commit_that_outgrew_the_cache_survives_a_kill_whole() {
        for synchronous in ["full", "normal", "off"] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("spilled.db");
            let mut connection = open_writer(&path).unwrap();
            connection.pragma_update(None, "synchronous", synchronous).unwrap();
            connection.pragma_update(None, "cache_size", 5).unwrap();
            connection.execute_batch("create table rows (id integer primary key, text text unique)").unwrap();
            let log_bytes = || std::fs::metadata(with_suffix(&path, "-wal")).unwrap().len();
            let before = log_bytes();
            let transaction = connection.transaction().unwrap();
            for row in 0..800_i64 {
                let text = format!("{:08x}{}", row * 2_654_435_761 % 4_294_967_296, "x".repeat(300));
                transaction.execute("insert into rows values (?1, ?2)", (row, text)).unwrap();
            }
            let inserted = log_bytes();
            transaction.execute("update rows set text = 'again' || text", ()).unwrap();
            let updated = log_bytes();
            assert!(inserted > before, "it outgrew the cache");
            assert!(updated < 2 * inserted, "pages of the log were written again");
            transaction.commit().unwrap();
            let again = after_a_kill(&path);
            let counted = "select count(*) from rows where text like 'again%'";
            let found: i64 = again.query_row(counted, (), |row| row.get(0)).unwrap();
            let verdict: String = again.query_row("pragma integrity_check", (), |row| row.get(0)).unwrap();
            assert_eq!((found, verdict.as_str()), (800, "ok"), "synchronous {synchronous}");
        }
    }
}
