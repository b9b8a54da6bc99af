//! One SQLite file as the service's store.
//!
//! A 200 means that the change is durable. Readers have connections of their own, see the last commit, and never
//! wait for the writer. The writer is one thread that owns the one connection that writes. Another process, such
//! as the command line, may open the same file at the same time.

mod ahead;
mod backup;
mod checkpoint;
mod connection;
mod console;
mod driver;
mod files;
mod health;
mod key_owners;
mod log_readers;
mod migrate;
mod queue;
mod readers;
mod store;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) use ahead::accounts_ahead;
pub use backup::backup;
pub use queue::QueueLimits;

use matterbook_core::key::KeySecretCheck;
use matterbook_store_sql::{FingerprintCache, examine::KEY_SECRETS, migrations};
use rusqlite::Connection;
use tokio::sync::Semaphore;

use checkpoint::Checkpointer;
use health::Health;
use readers::Readers;
use writer::Writer;

use crate::{key_secret_file::KeySecretError, metrics::StoreMetrics};

/// The most changes that are decided on readers at once.
const PREPARING_MAX: usize = 2;

/// An open database. Dropping it finishes what waits to be written.
pub struct Database {
    readers: Arc<Readers>,
    preparing: Arc<Semaphore>,
    cache: Arc<FingerprintCache>,
    writer: Writer,
    health: Arc<Health>,
    metrics: Arc<StoreMetrics>,
}

impl Database {
    /// Opens the file, creates it where there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// When the file cannot be used, is of a newer schema, or no thread can be started.
    pub fn open(path: &Path, limits: QueueLimits) -> Result<Self, DatabaseError> {
        Self::open_with_migrations(path, limits, migrations::MIGRATIONS)
    }

    /// Opens the file as a program with these migrations does.
    ///
    /// # Errors
    /// As [`Database::open`]. A migration that fails leaves the file as it was.
    pub fn open_with_migrations(
        path: &Path,
        limits: QueueLimits,
        migrations: &[migrations::Migration],
    ) -> Result<Self, DatabaseError> {
        let mut connection = connection::open_writer(path)?;
        migrate::migrate(&mut connection, path, migrations)?;
        let (metrics, health) = (Arc::<StoreMetrics>::default(), Arc::<Health>::default());
        let readers = Arc::new(Readers::new(path.to_owned(), Arc::clone(&health)));
        let shared = (Arc::clone(&readers), Arc::clone(&health), Arc::clone(&metrics));
        let checkpointer = Checkpointer::new(&mut connection, path, limits.log_bytes, shared)
            .map_err(|error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() })?;
        let writer = Writer::start(connection, checkpointer, limits, Arc::clone(&metrics))?;
        let preparing = Arc::new(Semaphore::new(PREPARING_MAX));
        Ok(Self { readers, preparing, cache: Arc::default(), writer, health, metrics })
    }

    /// Waits until the files cannot be trusted any more: a sentence for the operator that says why. From then on
    /// nothing is answered, and the process has to end.
    pub async fn ended(&self) -> String {
        self.health.ended().await
    }

    /// The check values of the key secrets that this database's keys were made with.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn recorded_key_secrets(&self, path: &Path) -> Result<Vec<KeySecretCheck>, DatabaseError> {
        let refused = |error: rusqlite::Error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() };
        recorded_key_secrets(&connection::open_reader(path)?).map_err(refused)
    }

    /// Counts and latencies of the calls so far.
    #[must_use]
    pub fn metrics(&self) -> &StoreMetrics {
        &self.metrics
    }

    /// How many requests wait for the writer, and of how many clients and prospects.
    #[must_use]
    pub fn waiting_writes(&self) -> (usize, usize) {
        self.writer.waiting()
    }
}

/// The check values of the key secrets that the keys of a database were made with.
pub(crate) fn recorded_key_secrets(connection: &Connection) -> rusqlite::Result<Vec<KeySecretCheck>> {
    let mut statement = connection.prepare(KEY_SECRETS)?;
    let checks = statement.query_map([], |row| Ok(KeySecretCheck::from_text(row.get::<_, String>(0)?.into())))?;
    checks.collect()
}

/// Why a database cannot be used. The sentences are for the operator and name the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be opened.
    #[error("The database {} cannot be opened: {cause}.", path.display())]
    Open {
        /// Which file.
        path: PathBuf,
        /// What the system or SQLite said.
        cause: String,
    },
    /// A later program wrote it.
    #[error(
        "The database {} was written by a newer Matterbook (schema {found}; this one knows up to {known}): use that version, or a backup.",
        path.display()
    )]
    Newer {
        /// Which file.
        path: PathBuf,
        /// The schema's version in the file.
        found: u32,
        /// The newest that this program knows.
        known: u32,
    },
    /// Its key secret cannot be used.
    #[error(transparent)]
    KeySecret(#[from] KeySecretError),
    /// The copy could not be made.
    #[error("The backup {} cannot be written: {cause}.", path.display())]
    Backup {
        /// The copy's file.
        path: PathBuf,
        /// What the system or SQLite said.
        cause: String,
    },
    /// A thread of the database could not be started.
    #[error("The database's threads cannot be started: {cause}.")]
    Thread {
        /// What the system said.
        cause: String,
    },
}
