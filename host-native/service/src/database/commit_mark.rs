//! Whether anything was committed, asked without a look into the database.
//!
//! SQLite keeps a header at the beginning of the `-shm` file, in two copies, which each commit of any
//! process changes: the second copy first, the first one last, after which readers see the commit. By the
//! same bytes SQLite decides whether the pages that a connection holds are current
//! (<https://www.sqlite.org/walformat.html>, "The WAL-Index File Format"). They hold a count of commits, the
//! length of the log, and checksums over it and over themselves, so none comes again after a commit.

use std::{
    collections::HashMap,
    fs::File,
    io,
    os::unix::fs::{FileExt as _, MetadataExt as _},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use crate::private_file::with_suffix;

/// The bytes of one copy.
const COPY_BYTES: usize = 48;
/// How a header of the form that is known here begins: its version, in the machine's byte order.
const VERSION: [u8; 4] = 3_007_000_u32.to_ne_bytes();
/// Where it says, by a 1, that it is filled in.
const IS_INITIALIZED: usize = 12;

/// The state of a file between two commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CommitMark([u8; COPY_BYTES]);

/// Reads the mark of one file. To be dropped after the connections to it.
pub(super) struct CommitMarks {
    /// There until this is dropped.
    file: Option<Arc<File>>,
}

/// The files of marks that this process has open, by device and number.
type Files = HashMap<(u64, u64), Weak<File>>;

static OPENED: Mutex<Option<Files>> = Mutex::new(None);

/// The right to open a database, one at a time in this process.
///
/// Closing a file gives up all locks that the process has on it, those of SQLite's connections too. So
/// each file is opened once, however many databases are open on it, and is not closed while another of
/// them is between its first connection and its marks.
pub(super) struct Opening(MutexGuard<'static, Option<Files>>);

impl Opening {
    /// To be had before the first connection.
    pub(super) fn begin() -> Self {
        Self(OPENED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The marks of a database with its write-ahead log, which some connection has open.
    pub(super) fn marks(mut self, path: &Path) -> io::Result<CommitMarks> {
        let name = with_suffix(path, "-shm");
        let metadata = std::fs::metadata(&name)?;
        let files = self.0.get_or_insert_default();
        files.retain(|_, file| file.strong_count() > 0);
        let identity = (metadata.dev(), metadata.ino());
        if let Some(file) = files.get(&identity).and_then(Weak::upgrade) {
            return Ok(CommitMarks { file: Some(file) });
        }
        let file = Arc::new(File::open(&name)?);
        files.insert(identity, Arc::downgrade(&file));
        Ok(CommitMarks { file: Some(file) })
    }
}

impl Drop for CommitMarks {
    fn drop(&mut self) {
        let _nobody_opens = Opening::begin();
        self.file = None;
    }
}

impl CommitMarks {
    /// The mark now; nothing while a commit is becoming visible. Whatever is read of the database after
    /// this call was there at that mark or came later.
    pub(super) fn now(&self) -> Option<CommitMark> {
        let mut copies = [[0; COPY_BYTES]; 2];
        self.file.as_ref()?.read_exact_at(copies.as_flattened_mut(), 0).ok()?;
        let [first, second] = copies;
        let is_whole = first == second && first.starts_with(&VERSION) && first[IS_INITIALIZED] == 1;
        is_whole.then_some(CommitMark(first))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::database::connection::{READER_CACHE_KIB, open_reader, open_writer};

    /// Whether `work` changes the mark of a database with one table.
    fn changes(work: impl FnOnce(&Connection, &Path)) -> bool {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("marked.db");
        let writer = open_writer(&path).unwrap();
        writer.execute_batch("create table t (x); insert into t values (1)").unwrap();
        let marks = Opening::begin().marks(&path).unwrap();
        let before = marks.now().expect("nobody is committing");
        work(&writer, &path);
        let after = marks.now().expect("nobody is committing");
        drop(writer);
        after != before
    }

    #[test]
    fn every_commit_changes_it_and_nothing_else_does() {
        let one = |connection: &Connection| {
            assert_eq!(connection.execute("update t set x = x + 1", []), Ok(1));
        };
        assert!(changes(|writer, _| one(writer)));
        assert!(changes(|_, path| one(&open_writer(path).unwrap())), "another connection's");
        assert!(
            changes(|writer, _| writer.execute_batch("update t set x = 2; update t set x = 1").unwrap()),
            "and back"
        );
        assert!(changes(|writer, _| {
            let _ = writer.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()));
            one(writer);
        }));
        assert!(!changes(|writer, _| writer.execute_batch("begin immediate; update t set x = 2; rollback").unwrap()));
        assert!(!changes(|writer, _| {
            let _ = writer.query_row("pragma wal_checkpoint(restart)", [], |_| Ok(()));
        }));
        assert!(!changes(|_, path| {
            let read: i64 = open_reader(path, READER_CACHE_KIB)
                .unwrap()
                .query_row("select x from t", [], |row| row.get(0))
                .unwrap();
            assert_eq!(read, 1);
        }));
    }

    #[test]
    fn a_file_is_open_once_in_the_process() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("marked.db");
        let writer = open_writer(&path).unwrap();
        writer.execute_batch("create table t (x)").unwrap();
        let [one, other] = [(), ()].map(|()| Opening::begin().marks(&path).unwrap());
        let (first, second) = (one.file.as_ref().unwrap(), other.file.as_ref().unwrap());
        assert!(Arc::ptr_eq(first, second));
        drop(one);
        assert!(other.now().is_some());
        drop(writer);
    }
}
