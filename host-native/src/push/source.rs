//! The pushed file: its digest, its lock, and whether it changed meanwhile.

use std::{
    fs::{File, Metadata, TryLockError},
    io::{self, Read as _},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use matterbook_import::push::hex;
use sha2::{Digest as _, Sha256};

use super::PushError;

const PIECE_BYTES: usize = 256 * 1_024;

/// A file locked for this push.
#[derive(Debug)]
pub(crate) struct Source {
    path: PathBuf,
    /// The digest of its bytes.
    sha256: String,
    stamp: Stamp,
    /// Kept open, because closing it releases the lock.
    _file: File,
}

impl Source {
    /// Locks the file for this push and computes its digest.
    ///
    /// # Errors
    /// When it cannot be read, or another push has the lock.
    pub(crate) fn open(path: &Path) -> Result<Self, PushError> {
        let unreadable = |error: io::Error| PushError::File(format!("{} cannot be read: {error}.", path.display()));
        let mut file = File::open(path).map_err(unreadable)?;
        // On a file system without locks the push continues without one.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PushError::Refused(format!("Another push of {} is under way.", path.display())));
        }
        let stamp = Stamp::of(&file.metadata().map_err(unreadable)?);
        let mut digest = Sha256::new();
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            match file.read(&mut piece).map_err(unreadable)? {
                0 => break,
                length => digest.update(piece.get(..length).unwrap_or_default()),
            }
        }
        let sha256 = hex(&digest.finalize());
        Ok(Self { path: path.to_owned(), sha256, stamp, _file: file })
    }

    /// The digest of its bytes, in hexadecimal digits.
    #[must_use]
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Checks that the file is unchanged since it was opened, because its rows are read while they are sent.
    pub(super) fn check(&self) -> Result<(), PushError> {
        let shown = self.path.display();
        match std::fs::metadata(&self.path) {
            Ok(metadata) if Stamp::of(&metadata) == self.stamp => Ok(()),
            Ok(_) => Err(PushError::File(format!(
                "{shown} was changed while it was being sent. What was sent is saved. Push it again with --restart: known \
                 clients are found."
            ))),
            Err(error) => Err(PushError::File(format!(
                "{shown} is gone ({error}). What was sent is saved. Put it back and run the same command again."
            ))),
        }
    }
}

/// The metadata that changes when a file is written.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified_seconds: i64,
    modified_nanoseconds: i64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.size(),
            modified_seconds: metadata.mtime(),
            modified_nanoseconds: metadata.mtime_nsec(),
        }
    }
}
