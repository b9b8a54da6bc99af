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
    sync::{Arc, Mutex, PoisonError, Weak},
};

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
    file: Arc<File>,
}

impl CommitMarks {
    /// For a database with its write-ahead log, which some connection has open.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut name = path.as_os_str().to_owned();
        name.push("-shm");
        shared(Path::new(&name)).map(|file| Self { file })
    }

    /// The mark now; nothing while a commit is becoming visible. Whatever is read of the database after
    /// this call was there at that mark or came later.
    pub(super) fn now(&self) -> Option<CommitMark> {
        let mut copies = [[0; COPY_BYTES]; 2];
        self.file.read_exact_at(copies.as_flattened_mut(), 0).ok()?;
        let [first, second] = copies;
        let is_whole = first == second && first.starts_with(&VERSION) && first[IS_INITIALIZED] == 1;
        is_whole.then_some(CommitMark(first))
    }
}

/// A file, opened once in this process however many ask for it: closing it gives up the locks that this
/// process has on it, so it is not closed while anybody's connections may hold some.
fn shared(path: &Path) -> io::Result<Arc<File>> {
    static OPENED: Mutex<Option<HashMap<(u64, u64), Weak<File>>>> = Mutex::new(None);
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let opened = opened.get_or_insert_default();
    opened.retain(|_, file| file.strong_count() > 0);
    let metadata = std::fs::metadata(path)?;
    let identity = (metadata.dev(), metadata.ino());
    if let Some(file) = opened.get(&identity).and_then(Weak::upgrade) {
        return Ok(file);
    }
    let file = Arc::new(File::open(path)?);
    opened.insert(identity, Arc::downgrade(&file));
    Ok(file)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::database::connection::{open_reader, open_writer};

    /// Whether `work` changes the mark of a database with one table.
    fn changes(work: impl FnOnce(&Connection, &Path)) -> bool {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("marked.db");
        let writer = open_writer(&path).unwrap();
        writer.execute_batch("create table t (x); insert into t values (1)").unwrap();
        let marks = CommitMarks::open(&path).unwrap();
        let before = marks.now().expect("nobody is committing");
        work(&writer, &path);
        let after = marks.now().expect("nobody is committing");
        drop(writer);
        after != before
    }

    #[test]
    fn every_commit_changes_it_and_nothing_else_does() {
        let one = |connection: &Connection| connection.execute("update t set x = x + 1", []).unwrap();
        assert!(changes(|writer, _| drop(one(writer))));
        assert!(changes(|_, path| drop(one(&open_writer(path).unwrap()))), "another connection's");
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
            let read: i64 = open_reader(path).unwrap().query_row("select x from t", [], |row| row.get(0)).unwrap();
            assert_eq!(read, 1);
        }));
    }

    #[test]
    fn a_file_is_open_once_in_the_process() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("marked.db");
        let writer = open_writer(&path).unwrap();
        writer.execute_batch("create table t (x)").unwrap();
        let (one, other) = (CommitMarks::open(&path).unwrap(), CommitMarks::open(&path).unwrap());
        assert!(Arc::ptr_eq(&one.file, &other.file));
        assert!(one.now().is_some());
        drop(writer);
    }
}
