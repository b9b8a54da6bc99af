//! The log, written in few large pieces.
//!
//! SQLite hands a commit's pages to the system one by one, each in two pieces that lie across the system's own
//! pages: with new clients that is 800 calls for each post, a quarter of the writer's time. Here they are gathered,
//! and written when the commit ends, when somebody reads the file or wants it on the disk, or when there are many.
//!
//! This is a VFS (<https://www.sqlite.org/vfs.html>): the system's own, but for what is done with a log. What is
//! gathered is never longer kept than this connection has the right to write, and nobody hears of a commit before
//! it is in the file.
#![expect(unsafe_code, reason = "SQLite has no other way to say how a file is written")]

mod gathered;
mod methods;

use std::{
    ffi::{CStr, c_char, c_int},
    ptr,
    sync::OnceLock,
};

use rusqlite::ffi::{
    SQLITE_CANTOPEN, SQLITE_ERROR, SQLITE_OK, SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_WAL, sqlite3_file, sqlite3_initialize,
    sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

/// The name by which SQLite knows this way of writing.
const NAME: &CStr = c"matterbook-gathered-log";

/// Makes it known to SQLite, once in a process, and hands its name back.
///
/// # Errors
/// When SQLite cannot be set up.
pub(super) fn gathered_log() -> Result<&'static CStr, String> {
    static REGISTERED: OnceLock<Result<(), c_int>> = OnceLock::new();
    REGISTERED.get_or_init(register).map(|()| NAME).map_err(|code| rusqlite::ffi::code_to_str(code).to_owned())
}

fn register() -> Result<(), c_int> {
    // SAFETY: SQLite is set up before it is asked; what it names stays as long as the process, and is copied. The
    // copy is never freed, as SQLite asks for. Its functions do not look at which of the two they are called for.
    let code = unsafe {
        let code = sqlite3_initialize();
        let system = sqlite3_vfs_find(ptr::null());
        if code != SQLITE_OK || system.is_null() {
            return Err(if code == SQLITE_OK { SQLITE_ERROR } else { code });
        }
        let own = sqlite3_vfs { zName: NAME.as_ptr(), pNext: ptr::null_mut(), xOpen: Some(open), ..*system };
        sqlite3_vfs_register(Box::leak(Box::new(own)), 0)
    };
    if code == SQLITE_OK { Ok(()) } else { Err(code) }
}

/// Opens a file as the system does, and has the writes of a log gathered.
unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    flags_found: *mut c_int,
) -> c_int {
    // SAFETY: SQLite's arguments are handed on as they are, to the system's function and with the system's VFS;
    // the room for a file is what that one asks for. `methods` are given files that were opened.
    unsafe {
        let system = sqlite3_vfs_find(ptr::null());
        let Some(open) = system.as_ref().and_then(|system| system.xOpen) else { return SQLITE_CANTOPEN };
        let code = open(system, name, file, flags, flags_found);
        if code == SQLITE_OK {
            if flags & SQLITE_OPEN_MAIN_DB != 0 {
                methods::watch_database(file);
            } else if flags & SQLITE_OPEN_WAL != 0 {
                methods::gather_log(file, name);
            }
        }
        code
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::Connection;

    use crate::database::connection::open_writer;

    const ROWS: i64 = 400;

    fn table(path: &Path) -> Connection {
        let connection = open_writer(path).unwrap();
        connection.execute_batch("create table t (x blob)").unwrap();
        connection
    }

    /// Rows of a page each.
    fn insert(connection: &Connection, byte: u8) {
        let mut statement = connection.prepare_cached("insert into t values (?1)").unwrap();
        for _ in 0..ROWS {
            statement.execute([vec![byte; 3_500]]).unwrap();
        }
    }

    fn count(connection: &Connection, byte: u8) -> i64 {
        connection.query_row("select count(*) from t where x = ?1", [vec![byte; 3_500]], |row| row.get(0)).unwrap()
    }

    fn whole(connection: &Connection) -> String {
        connection.query_row("pragma integrity_check", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_commit_is_seen_by_others_when_it_is_made() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("seen.db");
        let writer = table(&path);
        let reader = Connection::open(&path).unwrap();
        for (byte, synchronous) in [(1, "full"), (2, "normal"), (3, "off")] {
            writer.pragma_update(None, "synchronous", synchronous).unwrap();
            writer.execute_batch("begin immediate").unwrap();
            insert(&writer, byte);
            assert_eq!(count(&reader, byte), 0);
            writer.execute_batch("commit").unwrap();
            assert_eq!(count(&reader, byte), ROWS, "{synchronous}");
            assert_eq!(whole(&reader), "ok");
        }
    }

    /// A transaction larger than the cache goes into the log before it ends. If it is undone then, the part that
    /// was not written yet must stay so: the log's place is the next writer's, which may be another process.
    #[test]
    fn what_was_undone_is_not_written_over_the_commit_of_another() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("undone.db");
        let writer = table(&path);
        // The log is empty, so that undoing reads nothing from it.
        writer.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(())).unwrap();
        writer.pragma_update(None, "cache_size", 10).unwrap();
        writer.execute_batch("begin immediate").unwrap();
        insert(&writer, 1);
        writer.execute_batch("rollback").unwrap();
        let other = Connection::open(&path).unwrap();
        other.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
        other.execute_batch("begin immediate").unwrap();
        insert(&other, 2);
        other.execute_batch("commit").unwrap();
        for connection in [&writer, &other, &Connection::open(&path).unwrap()] {
            assert_eq!((count(connection, 1), count(connection, 2), &*whole(connection)), (0, ROWS, "ok"));
        }
    }

    #[test]
    fn a_transaction_larger_than_the_cache_reads_and_undoes_what_it_wrote() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("large.db");
        let writer = table(&path);
        writer.pragma_update(None, "cache_size", 10).unwrap();
        writer.execute_batch("begin immediate").unwrap();
        insert(&writer, 1);
        writer.execute_batch("savepoint part").unwrap();
        insert(&writer, 2);
        assert_eq!((count(&writer, 1), count(&writer, 2)), (ROWS, ROWS));
        writer
            .execute_batch("rollback to part; release part; update t set x = zeroblob(3500) where rowid % 2")
            .unwrap();
        insert(&writer, 3);
        writer.execute_batch("commit").unwrap();
        for connection in [&writer, &Connection::open(&path).unwrap()] {
            let found = [0, 1, 2, 3].map(|byte| count(connection, byte));
            assert_eq!((found, &*whole(connection)), ([ROWS / 2, ROWS / 2, 0, ROWS], "ok"));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_commit_of_many_pages_is_written_in_few_pieces() {
        let calls = || -> i64 {
            let counts = std::fs::read_to_string("/proc/thread-self/io").unwrap();
            counts.lines().find_map(|line| line.strip_prefix("syscw: ")).unwrap().parse().unwrap()
        };
        let directory = tempfile::tempdir().unwrap();
        let writer = table(&directory.path().join("few.db"));
        writer.execute_batch("begin immediate").unwrap();
        insert(&writer, 1);
        let before = calls();
        writer.execute_batch("commit").unwrap();
        let written = calls() - before;
        assert!((1..ROWS / 20).contains(&written), "{written} writes of {ROWS} pages");
    }
}
