//! Whether the database's files are still those that are open (rule W13).
//!
//! A file that is removed or replaced goes on to be written without a name. What is committed there is lost when
//! the service ends.

use std::{
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use crate::private_file::with_suffix;

/// One of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Database,
    Log,
    Index,
}

/// A file that has not its name any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lost {
    pub(super) which: Which,
    pub(super) path: PathBuf,
    /// Another file has its name.
    pub(super) is_replaced: bool,
}

/// Device and number of a file.
type Identity = (u64, u64);

/// The files as they are open.
pub(super) struct Files(Vec<(Which, PathBuf, Identity)>);

impl Files {
    /// The files of a database that is open. SQLite has its log next to the file that a link leads to.
    pub(super) fn of(database: &Path) -> Self {
        let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
        let files = [(Which::Database, ""), (Which::Log, "-wal"), (Which::Index, "-shm")];
        let found = files.map(|(which, ending)| {
            let path = with_suffix(&database, ending);
            identity(&path).map(|identity| (which, path, identity))
        });
        Self(found.into_iter().flatten().collect())
    }

    /// The first file that has not its name any more.
    pub(super) fn lost(&self) -> Option<Lost> {
        self.0.iter().find_map(|(which, path, open)| {
            let found = identity(path);
            (found != Some(*open)).then(|| Lost { which: *which, path: path.clone(), is_replaced: found.is_some() })
        })
    }

    /// The length of the log.
    pub(super) fn log_bytes(&self) -> u64 {
        let log = self.0.iter().find(|(which, ..)| *which == Which::Log);
        log.and_then(|(_, path, _)| path.metadata().ok()).map_or(0, |metadata| metadata.len())
    }

    /// The index of the log, where its readers have their locks.
    pub(super) fn index(&self) -> Option<Identity> {
        self.0.iter().find(|(which, ..)| *which == Which::Index).map(|(.., identity)| *identity)
    }
}

fn identity(path: &Path) -> Option<Identity> {
    path.metadata().ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_was_removed_or_replaced_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let database = directory.path().canonicalize().unwrap().join("a.db");
        let log = with_suffix(&database, "-wal");
        fs::write(&database, "a").unwrap();
        fs::write(&log, "log").unwrap();
        let files = Files::of(&database);
        assert_eq!((files.lost(), files.log_bytes()), (None, 3));
        fs::rename(&log, directory.path().join("elsewhere")).unwrap();
        let mut lost = Lost { which: Which::Log, path: log.clone(), is_replaced: false };
        assert_eq!(files.lost(), Some(lost.clone()));
        fs::write(&log, "another").unwrap();
        lost.is_replaced = true;
        assert_eq!(files.lost(), Some(lost));
        fs::rename(directory.path().join("elsewhere"), &log).unwrap();
        assert_eq!(files.lost(), None);
    }
}
