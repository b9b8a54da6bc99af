//! One run: what is measured, where, how often.

use std::path::{Path, PathBuf};

use crate::{
    Outcome,
    service::{Service, Start},
};

/// One run of the comparison.
#[derive(Clone, Debug)]
pub struct Session {
    /// The service's program.
    pub program: PathBuf,
    /// Where files are made; on the disk that is measured.
    pub directory: PathBuf,
    /// How often each row is measured.
    pub rounds: usize,
    /// Fewer clients, for a first look.
    pub is_quick: bool,
}

impl Session {
    /// `whole`, or in a quick run `quick`.
    #[must_use]
    pub const fn size(&self, whole: usize, quick: usize) -> usize {
        if self.is_quick { quick } else { whole }
    }

    /// Says what is being done.
    pub fn say(&self, what: impl std::fmt::Display) {
        eprintln!("{what}");
    }

    /// A file of this name, and none of an earlier use of it.
    ///
    /// # Errors
    /// When an earlier one cannot be removed.
    pub fn new_file(&self, name: &str) -> Outcome<PathBuf> {
        let file = self.directory.join(format!("{name}.db"));
        for ending in ["db", "db-wal", "db-shm", "log"] {
            remove(&file.with_extension(ending))?;
        }
        Ok(file)
    }

    /// How the service is started on a file: as its operator does, but without rate limit.
    #[must_use]
    pub fn on(&self, database: &Path) -> Start {
        let database = database.to_owned();
        Start { program: self.program.clone(), database, rate_limit_per_minute: 0, preload: None }
    }

    /// The service on a new file.
    ///
    /// # Errors
    /// When it does not start.
    pub fn new_service(&self, name: &str) -> Outcome<Service> {
        Service::start(&self.on(&self.new_file(name)?))
    }
}

fn remove(file: &Path) -> Outcome<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
