//! A second thread for a look, where a processor has nothing else to do. Most of a look are searches, none
//! of which waits for another: whoever looks begins with the first of them, and this thread with the last.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::JoinHandle,
};

use matterbook_core::store::StoreError;
use matterbook_store_sql::driver::{Driver, DriverError, Isolation, Rows, Statement, Value, ValueRef};
use rusqlite::Connection;

use super::{
    DatabaseError,
    commit_mark::CommitMark,
    connection::{DECIDER_CACHE_KIB, open_reader},
    decider::step_back,
    driver::{Failure, in_read_transaction, run_rows, run_statements, show_rows},
    holders::Holders,
};

/// To wake a thread takes as long as some 30 searches.
const SHARED_SEARCHES_MIN: usize = 128;

/// How many searches are taken at once: what a thread that is held up has taken is searched for twice.
const SEARCHES_TAKEN: usize = 16;

/// The way to the thread. Dropping it ends the thread.
pub(super) struct SecondReader {
    searches: Option<mpsc::Sender<Arc<Searches>>>,
    is_free: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl SecondReader {
    /// Starts the thread, which reads this file.
    pub(super) fn start(path: PathBuf) -> Result<Self, DatabaseError> {
        let (searches, waiting) = mpsc::channel();
        let is_free = Arc::new(AtomicBool::new(true));
        let is_done = Arc::clone(&is_free);
        let thread = std::thread::Builder::new()
            .name("matterbook-reader".to_owned())
            .spawn(move || read_all(&path, &waiting, &is_done))
            .map_err(|error| DatabaseError::Thread { cause: error.to_string() })?;
        Ok(Self { searches: Some(searches), is_free, thread: Some(thread) })
    }

    /// Has the thread do of these searches what it comes to, unless it is at others.
    fn share(&self, statement: &Statement) -> Option<Arc<Searches>> {
        let thread = self.searches.as_ref().filter(|_| self.is_free.swap(false, Ordering::Acquire))?;
        let searches = Arc::new(Searches::of(statement.clone()));
        // Where the thread is gone, so is the other end.
        thread.send(Arc::clone(&searches)).ok().map(|()| searches)
    }
}

impl Drop for SecondReader {
    fn drop(&mut self) {
        self.searches = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of what it does, so there is nothing to learn here.
            let _ = thread.join();
        }
    }
}

/// The searches of one statement, each one row of its parameters.
struct Searches {
    statement: Statement,
    state: Mutex<State>,
}

struct State {
    /// Those that nobody has taken.
    rest: Range<usize>,
    /// What the thread found, of the last searches first.
    found: Vec<(Range<usize>, Rows)>,
}

impl Searches {
    fn of(statement: Statement) -> Self {
        let state = State { rest: 0..statement.rows().len(), found: Vec::new() };
        Self { statement, state: Mutex::new(state) }
    }

    fn take_first(&self) -> Option<Range<usize>> {
        let rest = &mut self.state().rest;
        let taken = rest.start..rest.end.min(rest.start + SEARCHES_TAKEN);
        rest.start = taken.end;
        Some(taken).filter(|taken| !taken.is_empty())
    }

    fn take_last(&self) -> Option<Range<usize>> {
        let rest = &mut self.state().rest;
        let taken = rest.start.max(rest.end.saturating_sub(SEARCHES_TAKEN))..rest.end;
        rest.end = taken.start;
        Some(taken).filter(|taken| !taken.is_empty())
    }

    /// Nothing panics while the lock is held, so what a poisoned one guards is whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_all(path: &Path, waiting: &mpsc::Receiver<Arc<Searches>>, is_free: &AtomicBool) {
    step_back();
    let mut kept = None;
    for searches in waiting {
        // What it does not find, whoever looks finds; after a panic the connection is closed.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let Some(connection) = kept.take().or_else(|| open_reader(path, DECIDER_CACHE_KIB).ok()) else { return };
            let read = || {
                while let Some(taken) = searches.take_last() {
                    let rows = run_rows(&connection, &searches.statement, taken.clone())?;
                    searches.state().found.push((taken, rows));
                }
                Ok::<_, DriverError>(())
            };
            if in_read_transaction(&connection, read).is_ok() {
                kept = Some(connection);
            }
        }));
        is_free.store(true, Ordering::Release);
    }
}

/// A look within a read transaction, which the second thread shares where it can.
pub(super) struct SharedLook<'a> {
    connection: &'a Connection,
    second: &'a SecondReader,
    holders: &'a Holders,
    /// The file's mark before the transaction.
    mark: Option<CommitMark>,
}

impl<'a> SharedLook<'a> {
    /// Does `work` within a read transaction.
    pub(super) fn with<T>(
        connection: &'a Connection,
        second: &'a SecondReader,
        holders: &'a Holders,
        work: impl FnOnce(Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mark = holders.mark();
        let look = || work(Self { connection, second, holders, mark }).map_err(Failure);
        in_read_transaction(connection, look).map_err(|Failure(error)| error)
    }

    /// Shows what one statement finds.
    fn show(
        &self,
        statement: &Statement,
        mut show: impl FnMut(&[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let all = 0..statement.rows().len();
        let is_shared = self.mark.is_some() && all.len() >= SHARED_SEARCHES_MIN;
        let Some(searches) = is_shared.then(|| self.second.share(statement)).flatten() else {
            return show_rows(self.connection, statement, all, show);
        };
        let mut end = 0;
        while let Some(taken) = searches.take_first() {
            end = taken.end;
            show_rows(self.connection, statement, taken, &mut show)?;
        }
        let mut by_second = std::mem::take(&mut searches.state().found);
        // Where nothing was committed since before both transactions, both saw the same.
        if self.holders.mark() != self.mark {
            by_second.clear();
        }
        for (taken, rows) in by_second.into_iter().rev() {
            // What the thread took and has not found by now.
            show_rows(self.connection, statement, end..taken.start, &mut show)?;
            for row in rows {
                show(&row.iter().map(Value::borrowed).collect::<Vec<_>>())?;
            }
            end = taken.end;
        }
        show_rows(self.connection, statement, end..all.end, show)
    }
}

impl Driver for SharedLook<'_> {
    fn isolation(&self) -> Isolation {
        Isolation::Transaction
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        run_statements(self.connection, batch)
    }

    async fn read(
        &self,
        batch: &[Statement],
        mut show: impl FnMut(usize, &[ValueRef<'_>]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statements = batch.iter().enumerate();
        statements.try_for_each(|(number, statement)| self.show(statement, |row| show(number, row)))
    }

    async fn back_off(&self, _attempt: u32) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use matterbook_store_sql::queries;

    use super::*;
    use crate::database::{
        commit_mark::Opening,
        connection::{READER_CACHE_KIB, open_writer},
        migrate::migrate,
    };

    const SEARCHES: usize = 500;

    /// A database with so many clients of account 1, and who holds its keys.
    fn database(directory: &Path) -> (PathBuf, Connection, Holders) {
        let path = directory.join("second.db");
        let mut writer = open_writer(&path).unwrap();
        migrate(&mut writer, &path).unwrap();
        for number in 0..SEARCHES {
            let sql =
                "insert into clients (account_id, id, external_id, do_not_mail, created_at, updated_at, fingerprint)
                       values (1, ?1, ?2, 0, 0, 0, x'00')";
            writer.execute(sql, (number.to_be_bytes(), format!("{number:03}"))).unwrap();
        }
        let holders = Holders::new(Some(Opening::begin().marks(&path).unwrap()));
        (path, writer, holders)
    }

    /// Looks for every client while the second thread reads `read_by_second`, which is given all the time it
    /// wants; `meanwhile` is done when the look has begun. Answers the external ids that were found.
    fn looked_for(
        read_by_second: &Path,
        (path, writer, holders): &(PathBuf, Connection, Holders),
        meanwhile: impl Fn(&Connection),
    ) -> Vec<String> {
        let second = SecondReader::start(read_by_second.to_owned()).unwrap();
        let reader = open_reader(path, READER_CACHE_KIB).unwrap();
        let search = |number: usize| vec![Value::from(1_i64), Value::from(format!("{number:03}"))];
        let statement = Statement::of_rows(&queries::NEXT_EXTERNAL_ID, (0..SEARCHES).map(search));
        let mut found = Vec::new();
        SharedLook::with(&reader, &second, holders, |look| {
            assert_eq!(show_rows(&reader, &statement, 0..1, |_| Ok::<_, StoreError>(())), Ok(()));
            meanwhile(writer);
            look.show(&statement, |row| {
                while !second.is_free.load(Ordering::Acquire) {
                    std::thread::yield_now();
                }
                let [ValueRef::Text(external_id)] = row else { panic!("one text: {row:?}") };
                found.push((*external_id).to_owned());
                Ok(())
            })
        })
        .unwrap();
        found
    }

    fn expected() -> Vec<String> {
        (0..SEARCHES).map(|number| format!("{number:03}")).collect()
    }

    #[test]
    fn two_threads_find_what_one_finds_in_its_order() {
        let directory = tempfile::tempdir().unwrap();
        let database = database(directory.path());
        assert_eq!(looked_for(&database.0, &database, |_| {}), expected());
    }

    #[test]
    fn what_is_committed_during_a_look_is_not_seen_by_half_of_it() {
        let directory = tempfile::tempdir().unwrap();
        let database = database(directory.path());
        let rename_all = |writer: &Connection| {
            writer.execute("update clients set external_id = external_id || 'x'", []).unwrap();
        };
        assert_eq!(looked_for(&database.0, &database, rename_all), expected());
    }

    #[test]
    fn where_the_second_thread_cannot_read_the_first_finds_all() {
        let directory = tempfile::tempdir().unwrap();
        let database = database(directory.path());
        assert_eq!(looked_for(Path::new("/nowhere/second.db"), &database, |_| {}), expected());
    }

    #[test]
    fn each_search_is_taken_once() {
        let searches = Searches::of(Statement::of_rows(
            &queries::NEXT_EXTERNAL_ID,
            (0..SEARCHES).map(|_| vec![Value::from(1_i64), Value::from("")]),
        ));
        let (mut first, mut last) = (0, SEARCHES);
        while let (Some(taken_first), taken_last) = (searches.take_first(), searches.take_last()) {
            assert_eq!(taken_first.start, first);
            first = taken_first.end;
            if let Some(taken_last) = taken_last {
                assert_eq!(taken_last.end, last);
                last = taken_last.start;
            }
        }
        assert_eq!(first, last);
    }
}
