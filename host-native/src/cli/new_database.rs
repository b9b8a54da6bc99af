//! The files of a database that a command makes. If the command is refused, none of them stays (rule L5).

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// A database that does not exist yet.
pub(super) struct NewDatabase {
    path: PathBuf,
    /// Files that are beside it already, with names that begin as its own.
    before: BTreeSet<OsString>,
}

impl NewDatabase {
    /// `None` where the database exists.
    pub(super) fn at(path: &Path) -> Option<Self> {
        (!path.exists()).then(|| Self { path: path.to_owned(), before: files(path) })
    }

    /// Removes what was made since. For when nothing was saved and the database is closed.
    pub(super) fn remove(self) {
        for name in files(&self.path).difference(&self.before) {
            let _ = fs::remove_file(self.path.with_file_name(name));
        }
    }
}

/// The files whose names begin with the database's.
fn files(database: &Path) -> BTreeSet<OsString> {
    let Some(own) = database.file_name() else { return BTreeSet::new() };
    let directory = database.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = fs::read_dir(directory).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.file_name()));
    names.filter(|name| name.as_encoded_bytes().starts_with(own.as_encoded_bytes())).collect()
}
