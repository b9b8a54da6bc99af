//! That one service at a time serves a database.
//!
//! Two of them would lose nothing, since SQLite keeps their commits apart. But each would count a key's
//! requests by itself, and two writers would wait for each other. So a service holds the lock of a file
//! beside the database. Not of the database itself: whoever closes that gives up the locks that SQLite's
//! connections of the same process have on it. The system takes the lock from a process that ends, however
//! it ends, so what a kill leaves behind is an empty file that holds nobody up. Commands on the same
//! database ask for no claim.

use std::{
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use crate::private_file::{owners_only, with_suffix};

/// How often a file is opened again because its last holder was just taking it away.
const ATTEMPTS: usize = 100;

/// The right to serve a database, until it is dropped.
pub(crate) struct Claim {
    /// `None` where the lock cannot be had at all.
    held: Option<(File, PathBuf)>,
}

impl Claim {
    /// Takes it; `None` where a service has it. A directory where no file can be made, and a file system
    /// without locks, hold nobody up: then the log says that another service would not be noticed.
    pub(crate) fn take(database: &Path) -> Option<Self> {
        let path = path_of(database);
        for _ in 0..ATTEMPTS {
            let file = match owners_only().write(true).create(true).truncate(false).open(&path) {
                Ok(file) => file,
                // Without the directory there is no database either, which is said when it is opened.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Some(Self { held: None }),
                Err(cause) => return Some(Self::without(&path, &cause)),
            };
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => return Some(Self { held: Some((file, path)) }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return None,
                Err(TryLockError::Error(cause)) => return Some(Self::without(&path, &cause)),
            }
        }
        None
    }

    fn without(path: &Path, cause: &io::Error) -> Self {
        let file = path.display();
        tracing::warn!(%cause, %file, "no lock can be had: another service on this database would not be noticed");
        Self { held: None }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // While it is locked, so that nobody else's is taken away.
        if let Some((_, path)) = &self.held {
            let _ = fs::remove_file(path);
        }
    }
}

/// One file, by whatever name the database is called.
fn path_of(database: &Path) -> PathBuf {
    with_suffix(&database.canonicalize().unwrap_or_else(|_| database.to_owned()), ".serving")
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
    fn a_database_is_claimed_once_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("a.db");
        let claim = Claim::take(&database).unwrap();
        assert!(Claim::take(&database).is_none());
        assert!(Claim::take(&place.path().join("b.db")).is_some());
        drop(claim);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing is left there");
        assert!(Claim::take(&database).is_some());
    }

    #[test]
    fn a_file_that_was_taken_away_is_no_claim() {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("a.db");
        let path = path_of(&database);
        // Opened before its holder took it away, and locked after that.
        let file = File::create(&path).unwrap();
        drop(Claim::take(&database).unwrap());
        file.try_lock().unwrap();
        assert!(!is_at(&file, &path));
        assert!(Claim::take(&database).is_some());
    }
}
