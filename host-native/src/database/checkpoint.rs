//! Copies the write-ahead log into the file, keeps it short, and ends the service where the files cannot be
//! trusted any more (rules W12 to W14, docs/decisions/0054 and 0055).

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use matterbook_core::store::StoreError;
use rusqlite::{Connection, config::DbConfig, ffi::SQLITE_IOERR_FSYNC, hooks::Wal};

use super::{
    connection::BUSY_TIMEOUT,
    files::{Files, Which},
    health::Health,
    log_readers,
    readers::Readers,
};
use crate::metrics::StoreMetrics;

/// The log is copied from 4,096 pages (16 MiB) on, so that a busy writer seldom copies the same page twice.
const CHECKPOINT_PAGES: u32 = 4_096;
/// What a page takes in the log.
const FRAME_BYTES: u64 = 4_096 + 24;
/// How long the writer waits for reads that are under way, to cut the log. Later reads do not hold it.
const READERS_PATIENCE: Duration = Duration::from_millis(100);
/// When to come back while a reader holds the log.
const RETRY_AFTER_SECONDS: u32 = 30;

/// How much of the log is copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// What no reader needs, without waiting.
    Passive,
    /// All of it; the log is cut to nothing then. Readers that are under way are waited for so long.
    Truncate(Duration),
}

/// Looks after the log of the connection that writes.
pub(super) struct Checkpointer {
    files: Files,
    readers: Arc<Readers>,
    health: Arc<Health>,
    metrics: Arc<StoreMetrics>,
    /// The pages in the log, as the last commit counted them.
    pages: Arc<AtomicU32>,
    limit_pages: u32,
    /// Of the commits so far.
    largest_commit_pages: u32,
    /// An erasure is in the log.
    must_cut: bool,
    /// Since when readers keep the log from being copied.
    held_since: Option<Instant>,
}

impl Checkpointer {
    pub(super) fn new(
        connection: &mut Connection,
        database: &Path,
        limit_bytes: u64,
        (readers, health, metrics): (Arc<Readers>, Arc<Health>, Arc<StoreMetrics>),
    ) -> rusqlite::Result<Self> {
        let pages = Arc::<AtomicU32>::default();
        let counting = Arc::clone(&pages);
        connection.wal_hook(Some(move |_: &mut Wal, pages: i32| {
            counting.store(u32::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        }))?;
        let limit_pages = u32::try_from(limit_bytes / FRAME_BYTES).unwrap_or(u32::MAX);
        Ok(Self {
            files: Files::of(database),
            readers,
            health,
            metrics,
            pages,
            limit_pages,
            largest_commit_pages: 0,
            must_cut: false,
            held_since: None,
        })
    }

    /// Copies what an earlier process left in the log. After a failed sync this writes its pages again.
    pub(super) fn begin(&mut self, connection: &Connection) {
        self.checkpoint(connection, Mode::Passive);
    }

    /// Refuses a commit that may not fit into the log, unless the log can be cut.
    pub(super) fn require_room(&mut self, connection: &Connection) -> Result<(), StoreError> {
        self.health.require_trust()?;
        let pages = self.pages.load(Ordering::Relaxed);
        // The next commit may be larger than any before: more requests wait, and the same rows touch more pages of a
        // larger database.
        let next_commit_pages = self.largest_commit_pages.saturating_mul(2);
        let is_short = pages <= CHECKPOINT_PAGES || pages.saturating_add(next_commit_pages) <= self.limit_pages;
        let is_room = is_short || self.checkpoint(connection, Mode::Truncate(READERS_PATIENCE));
        self.health.require_trust()?;
        let is_news = self.health.set_log_full(!is_room);
        if is_room {
            if is_news {
                tracing::info!("writes are taken again: the write-ahead log could be cut");
            }
            return Ok(());
        }
        let held_since = self.held_since.map(|since| since.elapsed());
        let index = self.files.index().map(|(_, number)| number);
        let readers = log_readers::describe(self.readers.oldest(), index, held_since);
        if is_news {
            let wal_bytes = self.files.log_bytes();
            tracing::warn!(wal_bytes, readers, "writes are refused: the write-ahead log is at its limit");
        }
        let cause = format!("the write-ahead log is at its limit: {readers}");
        Err(StoreError::Overloaded { retry_after_seconds: RETRY_AFTER_SECONDS, cause })
    }

    /// The pages in the log.
    pub(super) fn pages(&self) -> u32 {
        self.pages.load(Ordering::Relaxed)
    }

    /// To be called after a commit and before it is answered: whether what it wrote can be trusted.
    pub(super) fn committed(
        &mut self,
        connection: &Connection,
        pages_before: u32,
        has_erased: bool,
    ) -> Result<(), StoreError> {
        let pages = self.pages();
        let written = pages.checked_sub(pages_before).unwrap_or(pages);
        self.largest_commit_pages = self.largest_commit_pages.max(written);
        self.must_cut |= has_erased;
        if self.must_cut {
            self.checkpoint(connection, Mode::Truncate(READERS_PATIENCE));
        }
        self.check_files(connection);
        self.health.require_trust().map_err(|error| StoreError::Unknown { cause: error.to_string() })
    }

    /// To be called after the answers of a commit.
    pub(super) fn answered(&mut self, connection: &Connection) {
        if self.pages() >= CHECKPOINT_PAGES && !self.health.is_ended() {
            self.checkpoint(connection, Mode::Passive);
        }
    }

    /// To be called now and then while nothing is written.
    pub(super) fn idle(&mut self, connection: &Connection) {
        self.check_files(connection);
        if self.files.log_bytes() > 0 && !self.health.is_ended() {
            self.checkpoint(connection, Mode::Truncate(Duration::ZERO));
        }
    }

    /// Copies the log for the last time. The next start copies what stays.
    pub(super) fn close(&mut self, connection: &Connection) {
        if !self.health.is_ended() {
            self.checkpoint(connection, Mode::Truncate(READERS_PATIENCE));
        }
    }

    /// Copies the log; whether all of it is copied now, and cut if the mode says so.
    fn checkpoint(&mut self, connection: &Connection, mode: Mode) -> bool {
        let copied = match mode {
            Mode::Passive => copy(connection, "pragma wal_checkpoint(passive)"),
            Mode::Truncate(patience) => connection.busy_timeout(patience).and_then(|()| {
                let copied = copy(connection, "pragma wal_checkpoint(truncate)");
                connection.busy_timeout(BUSY_TIMEOUT)?;
                copied
            }),
        };
        match copied {
            Ok(Copied { is_busy, pages, copied }) => {
                if let Some(pages) = pages {
                    self.pages.store(pages, Ordering::Relaxed);
                }
                if self.health.set_failed_checkpoint(false) {
                    tracing::info!("the write-ahead log could be copied into the database file again");
                }
                let is_whole = !is_busy && copied == pages;
                self.held_since = if is_whole { None } else { self.held_since.or_else(|| Some(Instant::now())) };
                self.must_cut &= !(is_whole && mode != Mode::Passive);
                is_whole
            }
            Err(error) => {
                self.metrics.count_failed_checkpoint();
                if error.sqlite_error().map(|error| error.extended_code) == Some(SQLITE_IOERR_FSYNC) {
                    self.end_without_sync(connection);
                } else if self.health.set_failed_checkpoint(true) {
                    tracing::error!(cause = %error, "the write-ahead log cannot be copied into the database file");
                }
                false
            }
        }
    }

    /// A disk that fails a sync may drop what was written before, also pages that were copied by an earlier
    /// checkpoint, and succeed at the next sync. Only the log still has them. So nothing more is copied by this
    /// process; the next one reads the whole log, and copies it again.
    fn end_without_sync(&self, connection: &Connection) {
        self.end(
            connection,
            "The database file could not be synced to its disk, so the service ends. The next start copies the \
             write-ahead log into it again: nothing that was saved is lost. Check the disk (dmesg)."
                .to_owned(),
        );
    }

    /// Ends the service if one of its files is not the one that it writes.
    fn check_files(&mut self, connection: &Connection) {
        if self.health.is_ended() {
            return;
        }
        let Some(lost) = self.files.lost() else { return };
        // What is in the log of a database that was replaced must not be found next to its replacement. A log that
        // is only gone is lost with this process. A new log may be that of another process, which wrote the file.
        let is_copied = (lost.which == Which::Database || (lost.which == Which::Log && !lost.is_replaced))
            && self.checkpoint(connection, Mode::Truncate(READERS_PATIENCE));
        let file = lost.path.display();
        let advice = match lost.which {
            Which::Database => {
                "If a backup was put in its place, remove the -wal and -shm files before the next start."
            }
            Which::Log if is_copied => "What it held is in the database file. Leave the files to the service.",
            Which::Log => "Changes since the last copy of the log may be lost. Leave the files to the service.",
            Which::Index => "The next start makes another one. Leave the files to the service.",
        };
        self.end(
            connection,
            format!(
                "{file} is no longer the file that the service writes: it was removed or replaced. The service ends. {advice}"
            ),
        );
    }

    fn end(&self, connection: &Connection, reason: String) {
        // Closing the last connection would copy the log and remove what has its name.
        let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        tracing::error!(cause = reason, "the files of the database cannot be trusted");
        self.health.end(reason);
    }
}

/// What a checkpoint says: whether something was in the way, and the pages of the log, all and copied, where it
/// came so far.
struct Copied {
    is_busy: bool,
    pages: Option<u32>,
    copied: Option<u32>,
}

fn copy(connection: &Connection, sql: &str) -> rusqlite::Result<Copied> {
    connection.query_row(sql, [], |row| {
        // -1 where another process was in the way.
        let pages = |column: usize| row.get::<_, i64>(column).map(|pages| u32::try_from(pages).ok());
        Ok(Copied { is_busy: row.get(0)?, pages: pages(1)?, copied: pages(2)? })
    })
}
