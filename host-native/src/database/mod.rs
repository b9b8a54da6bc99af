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
pub(crate) mod followed;
mod health;
mod key_owners;
mod log_readers;
mod migrate;
mod queue;
mod readers;
mod store;
mod takeover;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) use ahead::accounts_ahead;
pub use backup::backup;
pub use queue::QueueLimits;
pub use takeover::take_over;

use matterbook_core::{key::KeySecretCheck, store::StoreError, time::Timestamp};
use matterbook_store_sql::{
    FingerprintCache,
    examine::{KEY_SECRETS, NEWEST_CHANGE_AT},
    migrations,
};
use rusqlite::Connection;
use tokio::sync::Semaphore;

use checkpoint::Checkpointer;
use health::Health;
use readers::Readers;
use writer::Writer;

use crate::{key_secret_file::KeySecretError, metrics::StoreMetrics};

/// The most changes that are decided on readers at once.
const PREPARING_MAX: usize = 2;

/// An open database, or a copy that is only read. Dropping it finishes what waits to be written.
pub struct Database {
    readers: Arc<Readers>,
    preparing: Arc<Semaphore>,
    cache: Arc<FingerprintCache>,
    /// A copy has none.
    writer: Option<Writer>,
    health: Arc<Health>,
    metrics: Arc<StoreMetrics>,
}

impl Database {
    /// Opens the file, creates it where there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// When the file cannot be used, is of a newer schema, is a followed copy, or no thread can be started.
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
        if followed::is_followed(path) {
            return Err(DatabaseError::Followed { path: path.to_owned() });
        }
        let mut connection = connection::open_writer(path)?;
        migrate::migrate(&mut connection, path, migrations)?;
        let (metrics, health) = (Arc::<StoreMetrics>::default(), Arc::<Health>::default());
        let readers = Arc::new(Readers::new(path.to_owned(), Arc::clone(&health)));
        let shared = (Arc::clone(&readers), Arc::clone(&health), Arc::clone(&metrics));
        let checkpointer = Checkpointer::new(&mut connection, path, limits.log_bytes, shared)
            .map_err(|error| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() })?;
        let writer = Writer::start(connection, checkpointer, limits, Arc::clone(&metrics))?;
        let preparing = Arc::new(Semaphore::new(PREPARING_MAX));
        Ok(Self { readers, preparing, cache: Arc::default(), writer: Some(writer), health, metrics })
    }

    /// Opens a copy that something else keeps, such as Litestream (rule W23). Nothing is written into it, and what would
    /// be is [`StoreError::ReadOnly`].
    ///
    /// # Errors
    /// When the file cannot be read, or its schema is not that of this program.
    pub fn open_copy(path: &Path) -> Result<Self, DatabaseError> {
        // Says why it cannot be read.
        drop(connection::open_reader(path)?);
        let health = Arc::<Health>::default();
        let readers = Arc::new(Readers::of_copy(path.to_owned(), Arc::clone(&health)));
        let refused = |error: StoreError| DatabaseError::Open { path: path.to_owned(), cause: error.to_string() };
        let is_older = readers.with(|reader| {
            Ok(migrate::needed(&reader.connection, path, migrations::MIGRATIONS).map(|missing| !missing.is_empty()))
        });
        if is_older.map_err(refused)?? {
            return Err(DatabaseError::Older { path: path.to_owned() });
        }
        let preparing = Arc::new(Semaphore::new(PREPARING_MAX));
        Ok(Self { readers, preparing, cache: Arc::default(), writer: None, health, metrics: Arc::default() })
    }

    /// The time of the newest change of clients, prospects or accounts, if there is one.
    ///
    /// # Errors
    /// When the file does not answer.
    pub fn newest_change_at(&self) -> Result<Option<Timestamp>, StoreError> {
        self.read(|connection| newest_change_at(connection).map_err(|error| store::failed(&error)))
    }

    /// Whether this is a copy that is only read.
    #[must_use]
    pub const fn is_copy(&self) -> bool {
        self.writer.is_none()
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
        self.writer.as_ref().map(Writer::waiting).unwrap_or_default()
    }
}

/// The time of the newest change in a database.
fn newest_change_at(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    let newest: Option<i64> = connection.query_row(NEWEST_CHANGE_AT, [], |row| row.get(0))?;
    Ok(newest.map(Timestamp::from_micros))
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
    /// A copy was written by an earlier program.
    #[error(
        "The copy {} was written by an older Matterbook: serve it with that version, or upgrade the main service first.",
        path.display()
    )]
    Older {
        /// Which file.
        path: PathBuf,
    },
    /// It is a copy that something else writes.
    #[error(
        "The database {} is a copy that Litestream follows (it has a file whose name ends in -txid), and a change here \
         would damage it. To read it, use serve --standby. To make it the main database, end the follower and run \
         matterbook takeover.",
        path.display()
    )]
    Followed {
        /// Which file.
        path: PathBuf,
    },
    /// It is no copy that was followed.
    #[error(
        "The database {} is no copy that Litestream follows (it has no file whose name ends in -txid): serve it without \
         --standby.",
        path.display()
    )]
    NotFollowed {
        /// Which file.
        path: PathBuf,
    },
    /// Something still writes the copy.
    #[error("The copy {} is still open for writing by {by}. End it, and run this again.", path.display())]
    StillFollowed {
        /// Which file.
        path: PathBuf,
        /// The processes.
        by: String,
    },
    /// The follower ended while it wrote.
    #[error(
        "The copy {} is not whole: its follower ended while it wrote changes. Start the follower again until it has \
         written them, or restore another copy with litestream restore.",
        path.display()
    )]
    CutShort {
        /// Which file.
        path: PathBuf,
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
