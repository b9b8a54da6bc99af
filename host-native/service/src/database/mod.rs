//! One SQLite file as the service's store (design sections 8 and 10).
//!
//! What was answered 200 is on the disk. Readers never wait for the writer: they have connections
//! of their own and see the last commit. The writer is one thread that owns the one connection
//! that writes. Another process, such as the command line, may open the same file at the same
//! time.

mod at_once;
mod backup;
mod checkpoint;
mod commit_mark;
mod connection;
mod decider;
mod driver;
mod file_sync;
mod holders;
mod log_file;
mod migrate;
mod queue;
mod readers;
mod store;
mod unchanging;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub use backup::backup;
pub use connection::open_to_examine;
pub use queue::QueueLimits;

use matterbook_store_sql::{RecentChanges, Roster};

use checkpoint::Checkpointer;
use commit_mark::Opening;
use connection::{CHECKPOINT_PAGES, DECIDER_CACHE_KIB, READER_CACHE_KIB};
use decider::Decider;
use holders::Holders;
use readers::Readers;
use unchanging::Unchanging;
use writer::Writer;

use crate::metrics::StoreMetrics;

/// An open database. Dropping it finishes what waits to be written.
pub struct Database {
    // Closed before the writer: the last connection to close, if it may write, tidies the log away.
    readers: Readers,
    /// Those by which a change is looked at that is expected to write nothing.
    lookers: Readers,
    decider: Decider,
    writer: Writer,
    unchanging: Unchanging,
    roster: Arc<Roster>,
    metrics: Arc<StoreMetrics>,
    // Dropped after the connections, whose locks closing its file would give up.
    holders: Holders,
}

impl Database {
    /// Opens the file, creates it where there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// When the file cannot be used, is of a newer schema, or no thread can be started.
    pub fn open(path: &Path, limits: QueueLimits) -> Result<Self, DatabaseError> {
        let opening = Opening::begin();
        let mut connection = connection::open_writer(path)?;
        migrate::migrate(&mut connection, path)?;
        let thread = |cause| DatabaseError::Thread { cause };
        let checkpointer = Checkpointer::watch(&mut connection, path, CHECKPOINT_PAGES).map_err(thread)?;
        let holders = Holders::new(opening.marks(path).ok());
        let metrics = Arc::<StoreMetrics>::default();
        let roster = Arc::<Roster>::default();
        let recent = RecentChanges::beside(Arc::clone(&roster));
        let writer = Writer::start(connection, recent, checkpointer, limits, Arc::clone(&metrics))?;
        let decider = Decider::start(path.to_owned(), Arc::clone(&roster))?;
        let [readers, lookers] = [READER_CACHE_KIB, DECIDER_CACHE_KIB].map(|kib| Readers::new(path.to_owned(), kib));
        Ok(Self { readers, lookers, decider, writer, unchanging: Unchanging::default(), roster, metrics, holders })
    }

    /// What it was asked so far, and how long that took.
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
