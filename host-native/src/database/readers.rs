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

use super::{connection::open_reader, health::Health, key_owners::KeyOwners, store::failed};

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
        Self { path, health, pool: Mutex::default() }
    }

    /// Reads with a connection of its own. Where `read` panics, the connection is closed.
    pub(super) fn with<T>(&self, read: impl FnOnce(&mut Reader) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.health.require_trust()?;
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
