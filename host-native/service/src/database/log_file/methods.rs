//! What is done with a file that is open: as the system does it, but for the writes of a log.
#![expect(unsafe_code, reason = "SQLite has no other way to say how a file is written")]

use std::{
    ffi::{c_char, c_int, c_void},
    ptr, slice,
};

use rusqlite::ffi::{
    SQLITE_FULL, SQLITE_IOERR, SQLITE_IOERR_WRITE, SQLITE_OK, SQLITE_SHM_EXCLUSIVE, SQLITE_SHM_UNLOCK,
    sqlite3_database_file_object, sqlite3_file, sqlite3_int64, sqlite3_io_methods,
};

use super::gathered::Gathered;

/// The lock that who writes holds (<https://www.sqlite.org/walformat.html>), the first of them.
const WRITE_LOCK: c_int = 0;

/// An open file. SQLite's handle of it points to `methods`, so that each is found by the other.
#[repr(C)]
struct OpenFile {
    /// What SQLite calls.
    methods: sqlite3_io_methods,
    /// What the system does.
    system: sqlite3_io_methods,
    /// Of a log, what is to be written.
    gathered: Gathered,
    /// Of a database its open log, and of a log its database; null where there is none.
    other: *mut sqlite3_file,
}

/// Has the right to write that is given back noticed.
///
/// # Safety
/// The system has opened `file`, and SQLite knows nothing of it yet.
pub(super) unsafe fn watch_database(file: *mut sqlite3_file) {
    // SAFETY: as said above.
    unsafe { take_over(file, |methods| methods.xShmLock = Some(lock)) }
}

/// Has what is written to a log gathered.
///
/// # Safety
/// The system has opened `file` under `name`, which SQLite gave, and SQLite knows nothing of it yet.
pub(super) unsafe fn gather_log(file: *mut sqlite3_file, name: *const c_char) {
    // SAFETY: as said above; SQLite opens a log while its database is open, which was opened here too, and whose
    // file it finds by a name of its own.
    unsafe {
        take_over(file, |methods| {
            methods.xRead = Some(read);
            methods.xWrite = Some(write);
            methods.xTruncate = Some(truncate);
            methods.xSync = Some(sync);
            methods.xFileSize = Some(file_size);
        });
        let database = sqlite3_database_file_object(name);
        (*open_file(file)).other = database;
        (*open_file(database)).other = file;
    }
}

/// # Safety
/// The system has opened `file`.
unsafe fn take_over(file: *mut sqlite3_file, change: impl FnOnce(&mut sqlite3_io_methods)) {
    // SAFETY: the system has set its methods, which live as long as the process.
    unsafe {
        let system = *(*file).pMethods;
        let mut methods = sqlite3_io_methods { xClose: Some(close), ..system };
        change(&mut methods);
        let own = Box::new(OpenFile { methods, system, gathered: Gathered::default(), other: ptr::null_mut() });
        (*file).pMethods = Box::into_raw(own).cast();
    }
}

/// # Safety
/// `file` was taken over, and is not closed.
unsafe fn open_file(file: *mut sqlite3_file) -> *mut OpenFile {
    // SAFETY: `methods` are the first that there is of an `OpenFile`.
    unsafe { (*file).pMethods.cast_mut().cast() }
}

/// Writes what is gathered. Where that fails it is forgotten: SQLite undoes the transaction that it is of.
///
/// # Safety
/// `file` is an open log, and nobody else uses it meanwhile.
unsafe fn write_gathered(file: *mut sqlite3_file) -> c_int {
    // SAFETY: the bytes are there until the system has returned.
    unsafe {
        let OpenFile { system, gathered, .. } = &mut *open_file(file);
        let Some((offset, bytes)) = gathered.written_at() else { return SQLITE_OK };
        let code = match (system.xWrite, c_int::try_from(bytes.len())) {
            (Some(write), Ok(length)) => write(file, bytes.as_ptr().cast(), length, offset),
            _ => SQLITE_IOERR_WRITE,
        };
        gathered.clear();
        code
    }
}

/// Writes what is gathered, and then asks the system for something that may be done in the midst of a transaction.
/// A full disk is a failed write then: after that one SQLite undoes all, after the other maybe only a statement.
///
/// # Safety
/// As of [`write_gathered`].
unsafe fn then(file: *mut sqlite3_file, ask: impl FnOnce(&sqlite3_io_methods) -> Option<c_int>) -> c_int {
    // SAFETY: as said above.
    unsafe {
        match write_gathered(file) {
            SQLITE_OK => ask(&(*open_file(file)).system).unwrap_or(SQLITE_IOERR),
            SQLITE_FULL => SQLITE_IOERR_WRITE,
            code => code,
        }
    }
}

// SQLite calls what follows with files that were taken over, each for one thread at a time, with buffers as long
// as it says.

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    length: c_int,
    offset: sqlite3_int64,
) -> c_int {
    // SAFETY: as said above.
    unsafe {
        let more = slice::from_raw_parts(from.cast::<u8>(), usize::try_from(length).unwrap_or_default());
        if !(*open_file(file)).gathered.takes(offset, more) {
            let code = write_gathered(file);
            if code != SQLITE_OK {
                return code;
            }
        }
        let OpenFile { system, gathered, .. } = &mut *open_file(file);
        if !gathered.takes(offset, more) {
            return system.xWrite.map_or(SQLITE_IOERR, |write| write(file, from, length, offset));
        }
        if gathered.add(more) { write_gathered(file) } else { SQLITE_OK }
    }
}

unsafe extern "C" fn read(file: *mut sqlite3_file, to: *mut c_void, length: c_int, offset: sqlite3_int64) -> c_int {
    // SAFETY: as said above.
    unsafe { then(file, |system| Some(system.xRead?(file, to, length, offset))) }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, length: sqlite3_int64) -> c_int {
    // SAFETY: as said above.
    unsafe { then(file, |system| Some(system.xTruncate?(file, length))) }
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut sqlite3_int64) -> c_int {
    // SAFETY: as said above.
    unsafe { then(file, |system| Some(system.xFileSize?(file, size))) }
}

/// A commit is put on the disk. After any error of this SQLite undoes all.
unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: as said above.
    unsafe {
        match write_gathered(file) {
            SQLITE_OK => (*open_file(file)).system.xSync.map_or(SQLITE_IOERR, |sync| sync(file, flags)),
            code => code,
        }
    }
}

/// A lock of the database's. Once the right to write is given back, what a transaction that was undone has left
/// must not be written any more: it would lie over another process's commit.
unsafe extern "C" fn lock(file: *mut sqlite3_file, first: c_int, count: c_int, flags: c_int) -> c_int {
    // SAFETY: as said above; a log that is closed is no longer named here.
    unsafe {
        let OpenFile { system, other, .. } = &*open_file(file);
        if flags == SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE && first == WRITE_LOCK && !other.is_null() {
            (*open_file(*other)).gathered.clear();
        }
        system.xShmLock.map_or(SQLITE_IOERR, |lock| lock(file, first, count, flags))
    }
}

/// What is still gathered is of no commit.
unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: as said above; SQLite uses the file no more, and closes a log before its database.
    unsafe {
        let own = Box::from_raw(open_file(file));
        if !own.other.is_null() {
            (*open_file(own.other)).other = ptr::null_mut();
        }
        own.system.xClose.map_or(SQLITE_IOERR, |close| close(file))
    }
}
