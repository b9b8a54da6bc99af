//! Connections that only read. They never wait for the writer.

use std::path::PathBuf;

use matterbook_core::store::StoreError;
use parking_lot::Mutex;
use rusqlite::Connection;

use super::{connection::open_reader, key_owners::KeyOwners, store::failed};

/// A connection that only reads, and the owners of keys that it has read.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) key_owners: KeyOwners,
}

/// The idle readers of one file. A read takes one without waiting, so there are never more than threads that
/// read at once.
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Reader>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, idle: Mutex::default() }
    }

    /// Reads with a connection of its own. Where `read` panics, the connection is closed.
    pub(super) fn with<T>(&self, read: impl FnOnce(&mut Reader) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.idle.lock().pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => {
                let connection = open_reader(&self.path).map_err(|error| failed(&error))?;
                Reader { connection, key_owners: KeyOwners::default() }
            }
        };
        let outcome = read(&mut reader);
        self.idle.lock().push(reader);
        outcome
    }
}
