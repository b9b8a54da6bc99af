//! Connections that only read, opened when one more is needed at the same time.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use matterbook_core::store::StoreError;
use rusqlite::Connection;

use super::{DatabaseError, connection::open_reader};

/// The idle reading connections of one file. A read holds one without waiting, so there are never
/// more than threads that read.
pub(super) struct Readers {
    path: PathBuf,
    cache_kib: i32,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Those of a file, each with a cache of so many KiB.
    pub(super) fn new(path: PathBuf, cache_kib: i32) -> Self {
        Self { path, cache_kib, idle: Mutex::new(Vec::new()) }
    }

    /// Reads with a connection of its own.
    pub(super) fn with<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let refused = |error: DatabaseError| StoreError::Failed { cause: error.to_string() };
                open_reader(&self.path, self.cache_kib).map_err(refused)?
            }
        };
        // Where `read` panics, the connection is closed with whatever it had open.
        let outcome = read(&connection);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        outcome
    }
}
