//! Copying the write-ahead log into the file, beside the writer: it takes tens of milliseconds, for
//! which nobody who posts should have to wait.
//!
//! A second connection copies what is there while the writer goes on, and puts it on the disk. What came meanwhile
//! is little, and the writer copies it itself when it has answered: so the log is copied to its end, and the next
//! commit begins it anew.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
};

use rusqlite::{Connection, hooks::Wal};

use super::{connection::open_beside_writer, file_sync::sync_file};

/// How far the copying of the log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Nothing is to be done.
    Idle,
    /// The log is long.
    Wanted,
    /// All that was there when the copying began is copied.
    Copied,
    /// What came meanwhile is the writer's to copy.
    Rest,
    /// The writer is stopping.
    Closed,
}

impl Progress {
    /// What is next after a commit that found the log long or not. A log that is short again was copied to its end
    /// before this commit, and has begun anew.
    const fn after_commit(self, is_long: bool) -> Self {
        match (self, is_long) {
            (Self::Idle, true) => Self::Wanted,
            (Self::Copied, true) => Self::Rest,
            (Self::Copied, false) => Self::Idle,
            (other, _) => other,
        }
    }
}

/// Where the writer and the copying thread meet.
struct Meeting {
    progress: Mutex<Progress>,
    changed: Condvar,
}

/// The copying thread of one file. Dropping it waits for the thread.
pub(super) struct Checkpointer {
    meeting: Arc<Meeting>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Has the log of a writer copied each time it has grown to so many pages; the rest by
    /// [`copy_rest`](Self::copy_rest).
    pub(super) fn watch(writer: &mut Connection, path: &Path, pages: u32) -> Result<Self, String> {
        let meeting = Arc::new(Meeting { progress: Mutex::new(Progress::Idle), changed: Condvar::new() });
        let (copying, watching) = (Arc::clone(&meeting), Arc::clone(&meeting));
        let path = path.to_owned();
        let thread = std::thread::Builder::new()
            .name("matterbook-checkpoint".to_owned())
            .spawn(move || copying.copy_when_wanted(path))
            .map_err(|error| error.to_string())?;
        let checkpointer = Self { meeting, thread: Some(thread) };
        let after_commit = move |_: &mut Wal, found: i32| {
            watching.note_commit(u32::try_from(found).is_ok_and(|found| found >= pages));
            Ok(())
        };
        writer.wal_hook(Some(after_commit)).map_err(|error| error.to_string())?;
        Ok(checkpointer)
    }

    /// Copies what the thread has left, if it is the writer's turn: between its commits.
    pub(super) fn copy_rest(&self, writer: &Connection) {
        if self.meeting.takes_rest() {
            // What fails is tried again after a later commit.
            let _ = copy_log(writer);
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.meeting.set(Progress::Closed);
        if let Some(thread) = self.thread.take() {
            // Whether it panicked is of no consequence: the writer copies the log when it stops.
            let _ = thread.join();
        }
    }
}

impl Meeting {
    /// Has the log copied, if it is time for that.
    fn note_commit(&self, is_log_long: bool) {
        let mut progress = self.lock();
        *progress = progress.after_commit(is_log_long);
        if *progress == Progress::Wanted {
            self.changed.notify_one();
        }
    }

    /// Whether the writer is to copy the rest, now.
    fn takes_rest(&self) -> bool {
        let mut progress = self.lock();
        let is_due = *progress == Progress::Rest;
        if is_due {
            *progress = Progress::Idle;
        }
        is_due
    }

    fn copy_when_wanted(&self, path: PathBuf) {
        let mut connection = None;
        while self.wait() == Progress::Wanted {
            connection = connection.or_else(|| open_beside_writer(&path).ok());
            if let Some(connection) = &connection {
                // What it leaves, because it failed or somebody reads, the writer copies. SQLite itself syncs the
                // file only with the log's end, which the writer has.
                if copy_log(connection).is_ok() {
                    sync_file(connection);
                }
            }
            let mut progress = self.lock();
            if *progress == Progress::Wanted {
                *progress = Progress::Copied;
            }
        }
    }

    /// Waits until something is to be done, and says what.
    fn wait(&self) -> Progress {
        let idle = |progress: &mut Progress| !matches!(progress, Progress::Wanted | Progress::Closed);
        *self.changed.wait_while(self.lock(), idle).unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, progress: Progress) {
        *self.lock() = progress;
        self.changed.notify_one();
    }

    /// No code panics while it holds the lock, so a poisoned state is whole.
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Copies what of the log is not copied yet, as far as nobody reads what stood there before.
fn copy_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("pragma wal_checkpoint(passive)", [], |_| Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::connection::open_writer;

    /// Where posts come seldom the thread copies the log to its end, and the next commit begins it anew. When it is
    /// long again, it is for the thread again: the writer would copy all of it while others wait.
    #[test]
    fn the_writer_is_left_only_what_came_during_the_copying() {
        let after = |progress: Progress, logs: &[bool]| logs.iter().fold(progress, |now, long| now.after_commit(*long));
        assert_eq!(after(Progress::Idle, &[false, true, true]), Progress::Wanted);
        assert_eq!(after(Progress::Copied, &[true]), Progress::Rest);
        assert_eq!(after(Progress::Copied, &[false, false, true]), Progress::Wanted);
        assert_eq!(after(Progress::Closed, &[true, false]), Progress::Closed);
    }

    #[test]
    fn a_long_log_begins_anew_while_commits_go_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.db");
        let mut connection = open_writer(&path).unwrap();
        let checkpointer = Checkpointer::watch(&mut connection, &path, 20).unwrap();
        connection.execute_batch("pragma synchronous = off; create table t (x)").unwrap();
        let log = path.with_extension("db-wal");
        // A log that is never begun anew grows by a page or more with each commit. How many commits are made
        // until the other thread has had its turn is the system's affair.
        let mut commits: i64 = 0;
        let pages_of_log = || std::fs::metadata(&log).unwrap().len() / 4_096;
        while commits < 1_000 || i64::try_from(pages_of_log()).unwrap() > commits / 2 {
            assert!(commits < 1_000_000, "the log is as long as all that was written");
            for _ in 0..100 {
                connection.execute("insert into t values (zeroblob(100))", []).unwrap();
                checkpointer.copy_rest(&connection);
            }
            commits += 100;
        }
        drop(checkpointer);
        let kept: i64 = connection.query_row("select count(*) from t", [], |row| row.get(0)).unwrap();
        assert_eq!(kept, commits);
    }
}
