//! Putting the database's own file on the disk.

use std::ptr;

use rusqlite::{
    Connection,
    ffi::{SQLITE_FCNTL_FILE_POINTER, SQLITE_OK, SQLITE_SYNC_NORMAL, sqlite3_file, sqlite3_file_control},
};

/// Has the system put on the disk what was copied into the file so far. Returns whether it did.
///
/// By SQLite's own handle of the file: closing another one would give up the locks of all connections to it.
#[expect(unsafe_code, reason = "SQLite syncs the file by itself only when it has copied the whole log")]
pub(super) fn sync_file(connection: &Connection) -> bool {
    let mut file: *mut sqlite3_file = ptr::null_mut();
    // SAFETY: the connection is open, and stays so for the while; it is used by one thread at a time. SQLite
    // writes a pointer to its open file.
    unsafe {
        let to = ptr::from_mut(&mut file).cast();
        if sqlite3_file_control(connection.handle(), c"main".as_ptr(), SQLITE_FCNTL_FILE_POINTER, to) != SQLITE_OK {
            return false;
        }
        let methods = file.as_ref().and_then(|file| file.pMethods.as_ref());
        methods.and_then(|methods| methods.xSync).is_some_and(|sync| sync(file, SQLITE_SYNC_NORMAL) == SQLITE_OK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_synced_and_stays_open() {
        let directory = tempfile::tempdir().unwrap();
        let connection = Connection::open(directory.path().join("file.db")).unwrap();
        connection.execute_batch("create table t (x)").unwrap();
        assert!(sync_file(&connection));
        connection.execute_batch("insert into t values (1)").unwrap();
        assert!(sync_file(&connection));
    }
}
