//! A served Worker for tests, with access to its log and its files.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use matterbook_conformance::wire::{Answer, OverHttp, Request, ServedWorker, WorkerOptions, send};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use tempfile::TempDir;

pub const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-tests";

/// Prospects are in three databases: those of California in one, others of 2026 in another, and the rest in the directory.
pub const SEVERAL_DATABASES: (&str, &str) = ("MATTERBOOK_TEST_PROSPECTS", "PROSPECTS_2026 PROSPECTS_CA");

/// The most polls of [`soon`], 20 ms apart.
const POLLS_MAX: usize = 2_500;

/// A running Worker. Dropping it ends it.
pub struct Served {
    pub worker: ServedWorker,
    pub http: OverHttp,
    state: PathBuf,
    /// Each account has an object of its own.
    pub has_objects: bool,
}

/// A temporary directory for a Worker's state.
pub fn state() -> TempDir {
    tempfile::tempdir().expect("a directory for the state")
}

impl Served {
    /// Starts the Worker with these settings, `MATTERBOOK_…`.
    pub fn start(state: &Path, settings: &[(&'static str, &str)]) -> Self {
        let has_objects = settings.contains(&("MATTERBOOK_PROFILE", "objects"));
        let settings = [("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN)].iter().chain(settings);
        let settings = settings.map(|(name, value)| (*name, (*value).to_owned())).collect();
        let options = WorkerOptions { state: state.to_owned(), settings };
        let worker = ServedWorker::start(&options).unwrap_or_else(|problem| panic!("{problem}"));
        let http = OverHttp::connect(&worker.url, OPERATOR_TOKEN).expect("a service that answers");
        Self { worker, http, state: state.to_owned(), has_objects }
    }

    /// The log line of the request that got this response.
    pub fn line_of(&self, answer: &Answer) -> Value {
        let request_id = answer.header("x-request-id").expect("a request id");
        soon("a line of the log", || self.worker.line_of(request_id))
    }

    /// The answer to a request that has to succeed. Where it does not, the log says why.
    pub fn ok(&self, request: &Request) -> Answer {
        let answer = send(&self.http, request).expect("an answer");
        assert_eq!(answer.status, 200, "{answer:?}: {}", self.line_of(&answer));
        answer
    }

    /// Opens the database file for reading.
    pub fn database(&self) -> Connection {
        let file = database_file(&self.state);
        Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the database opens")
    }

    /// Opens the database file for writing, which the runtime notices.
    pub fn changeable_database(&self) -> Connection {
        let connection = Connection::open(database_file(&self.state)).expect("the database opens");
        connection.busy_timeout(Duration::from_secs(10)).expect("patience");
        connection
    }

    /// The result of a query for one number.
    pub fn count(&self, sql: &str) -> i64 {
        self.database().query_row(sql, [], |row| row.get(0)).expect("a number")
    }

    /// A number of rows of accounts: those of the database or, where each account has an object of its own, of all
    /// objects together.
    pub fn count_of_accounts(&self, sql: &str) -> i64 {
        if !self.has_objects {
            return self.count(sql);
        }
        let count = |file: PathBuf| {
            let object = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the object opens");
            // That of a rate limit has other tables.
            object.query_row(sql, [], |row| row.get(0)).unwrap_or(0)
        };
        self.object_files().into_iter().map(count).sum()
    }

    /// The number of Durable Objects of the rate limit.
    pub fn objects(&self) -> usize {
        self.object_files().len()
    }

    /// How many values the objects of the rate limit store, together.
    pub fn stored_values(&self) -> i64 {
        let count = |file: PathBuf| {
            let object = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the object opens");
            // An object that has stored nothing has no table.
            object.query_row("select count(*) from _cf_KV", [], |row| row.get(0)).unwrap_or(0)
        };
        self.object_files().into_iter().map(count).sum()
    }

    fn object_files(&self) -> Vec<PathBuf> {
        object_files(&self.state)
    }

    /// Stops it gracefully.
    pub fn stop(self) {
        let status = self.worker.stop().expect("the Worker ends");
        assert!(status.success(), "the Worker ends with status 0: {status}");
    }
}

/// The files of the databases of D1 in a state directory.
pub fn database_files(state: &Path) -> Vec<PathBuf> {
    databases_under(&state.join("v3/d1"))
}

/// The file of the only database in a state directory.
pub fn database_file(state: &Path) -> PathBuf {
    let mut databases = database_files(state);
    assert_eq!(databases.len(), 1, "one database");
    databases.remove(0)
}

/// The files of the Durable Objects in a state directory.
pub fn object_files(state: &Path) -> Vec<PathBuf> {
    databases_under(&state.join("v3/do"))
}

/// Changes the directory, or an account's object, while nothing serves.
pub fn change(file: &Path, sql: &str) {
    Connection::open(file).expect("the file opens").execute_batch(sql).expect("it is changed");
}

/// The runtime keeps a file of its own next to the databases.
fn databases_under(directory: &Path) -> Vec<PathBuf> {
    let is_database = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "sqlite");
    let files = files_under(directory).into_iter().filter(is_database);
    files.filter(|file| !file.ends_with("metadata.sqlite")).collect()
}

/// Every file under a directory, recursively.
pub fn files_under(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = directory.read_dir() else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] }).collect()
}

/// Polls until something is there.
pub fn soon<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let found = (0..POLLS_MAX).find_map(|_| {
        let found = look();
        if found.is_none() {
            thread::sleep(Duration::from_millis(20));
        }
        found
    });
    found.unwrap_or_else(|| panic!("there is no {what}"))
}

/// A test on a shared Worker, with its name.
pub type Test = (&'static str, fn(&Served));

/// Runs tests one after another on one Worker, then stops it. All that fail are told at once.
pub fn run(served: Served, tests: &[Test]) {
    let holds = |test: fn(&Served)| catch_unwind(AssertUnwindSafe(|| test(&served))).is_ok();
    let failed: Vec<&str> = tests.iter().filter(|(_, test)| !holds(*test)).map(|(name, _)| *name).collect();
    served.stop();
    assert_eq!(failed, Vec::<&str>::new(), "these tests failed");
}
