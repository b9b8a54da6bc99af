//! Connections that only read. They never wait for the writer.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use matterbook_core::store::StoreError;
use parking_lot::Mutex;
use rusqlite::Connection;

use super::{
    connection::open_reader,
    driver::{driver_error, execute},
    followed,
    health::Health,
    key_owners::KeyOwners,
    store::failed,
};

/// Takes SQLite's lock for reading.
const LOCK: &str = "select 1 from sqlite_schema limit 1";

/// A connection that only reads, and the owners of keys that it has read.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) key_owners: KeyOwners,
}

/// The idle readers of one file. A read takes one without waiting, so there are never more than threads that
/// read at once.
pub(super) struct Readers {
    path: PathBuf,
    health: Arc<Health>,
    pool: Mutex<Pool>,
    /// Of a copy: whose turn it is to read.
    turn: Option<Mutex<()>>,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Reader>,
    /// When each read under way began, by a number of its own.
    reading: BTreeMap<u64, Instant>,
    next: u64,
}

impl Readers {
    pub(super) fn new(path: PathBuf, health: Arc<Health>) -> Self {
        Self { path, health, pool: Mutex::default(), turn: None }
    }

    /// The readers of a copy that something else writes.
    pub(super) fn of_copy(path: PathBuf, health: Arc<Health>) -> Self {
        Self { path, health, pool: Mutex::default(), turn: Some(Mutex::default()) }
    }

    /// Reads with a connection of its own. Where `read` panics, the connection is closed.
    pub(super) fn with<T>(&self, read: impl FnOnce(&mut Reader) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.health.require_trust()?;
        if let Some(turn) = &self.turn {
            let _turn = turn.lock();
            return self.read_copy(read);
        }
        let (idle, reading) = self.begin();
        let mut reader = match idle {
            Some(reader) => reader,
            None => {
                let connection = open_reader(&self.path).map_err(|error| failed(&error))?;
                Reader { connection, key_owners: KeyOwners::default() }
            }
        };
        let outcome = read(&mut reader);
        self.pool.lock().idle.push(reader);
        drop(reading);
        outcome
    }

    /// Reads a copy with a new connection, in one transaction (decision 0135).
    ///
    /// Its follower changes pages without what tells other connections so. So no page is remembered from an earlier
    /// read, and the lock is held for all of this one. One read at a time, because SQLite shares a process's lock
    /// among its connections: reads that overlap would hold it for ever, and the follower would never get it.
    fn read_copy<T>(&self, read: impl FnOnce(&mut Reader) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let connection = open_reader(&self.path).map_err(|error| failed(&error))?;
        let mut reader = Reader { connection, key_owners: KeyOwners::default() };
        execute(&reader.connection, "begin")?;
        reader.connection.query_row(LOCK, [], |_| Ok(())).map_err(driver_error)?;
        if !followed::is_whole(&self.path) {
            return Err(failed(&"the follower of the copy ended while it wrote changes"));
        }
        // Closing the connection ends the transaction.
        read(&mut reader)
    }

    /// How long the oldest read under way has taken.
    pub(super) fn oldest(&self) -> Option<Duration> {
        self.pool.lock().reading.first_key_value().map(|(_, began)| began.elapsed())
    }

    fn begin(&self) -> (Option<Reader>, Reading<'_>) {
        let mut pool = self.pool.lock();
        let number = pool.next;
        pool.next += 1;
        pool.reading.insert(number, Instant::now());
        (pool.idle.pop(), Reading { readers: self, number })
    }
}

/// A read under way.
struct Reading<'r> {
    readers: &'r Readers,
    number: u64,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.readers.pool.lock().reading.remove(&self.number);
    }
}
