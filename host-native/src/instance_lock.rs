//! The lock by which one service at a time serves a database (rule W11).
//!
//! Two services would lose no commit, since SQLite keeps their commits apart. But each would count a key's
//! requests by itself, and two writers would wait for each other. So a service locks a file next to the
//! database. It does not lock the database itself: closing that file releases the locks that SQLite's
//! connections of the same process hold on it. The system releases the lock of a process that ends, however
//! it ends, so a kill leaves an empty file behind that stops no other service. Commands take no lock.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use crate::private_file::{owners_only, with_suffix};

/// How often a file is opened again because its last holder removes it at that moment.
const ATTEMPTS: usize = 100;

/// The right to serve a database, until it is dropped.
pub(crate) struct InstanceLock {
    /// `None` where files cannot be locked at all.
    held: Option<(File, PathBuf)>,
}

impl InstanceLock {
    /// Takes the lock; `None` where a service has it. A directory where no file can be made, and a file
    /// system without locks, stop no service: then the log says that another one would not be noticed.
    pub(crate) fn acquire(database: &Path) -> Option<Self> {
        let path = path_of(database);
        for _ in 0..ATTEMPTS {
            let file = match owners_only().write(true).create(true).truncate(false).open(&path) {
                Ok(file) => file,
                // Without the directory there is no database either, which its opening reports.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Some(Self { held: None }),
                Err(cause) => return Some(Self::unlocked(&path, &cause)),
            };
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Some(Self { held: Some((file, path)) }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return None,
                Err(TryLockError::Error(cause)) => return Some(Self::unlocked(&path, &cause)),
            }
        }
        None
    }

    fn unlocked(path: &Path, cause: &io::Error) -> Self {
        let file = path.display();
        tracing::warn!(%cause, %file, "no lock can be had: another service on this database would not be noticed");
        Self { held: None }
    }
}

impl Drop for InstanceLock {
    fn drop(&mut self) {
        // While it is locked, so that the file of another service is never removed.
        if let Some((_, path)) = &self.held {
            let _ = fs::remove_file(path);
        }
    }
}

/// One file, by whatever name the database is called.
fn path_of(database: &Path) -> PathBuf {
    with_suffix(&database.canonicalize().unwrap_or_else(|_| database.to_owned()), ".lock")
}

/// Whether the file is still the one of that name.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    matches!((file.metadata().map(identity), fs::metadata(path).map(identity)), (Ok(held), Ok(named)) if held == named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_removed_is_no_lock() {
        let directory = tempfile::tempdir().unwrap();
        let database = directory.path().join("a.db");
        let path = path_of(&database);
        // Opened before its holder removed it, and locked after that.
        let file = File::create(&path).unwrap();
        drop(InstanceLock::acquire(&database).unwrap());
        file.try_lock().unwrap();
        assert!(!is_at(&file, &path));
        assert!(InstanceLock::acquire(&database).is_some());
    }
}
