//! One run: what is measured, where, how often.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

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
    /// A run of the program that is named, or lies beside this one, on files in a directory of its own,
    /// which is removed when what is handed back first is dropped. That directory lies in the one that is
    /// named, or beside this program: where temporary files are kept there is often no disk.
    ///
    /// # Errors
    /// When there is no such program or directory.
    pub fn open(
        program: Option<PathBuf>,
        directory: Option<PathBuf>,
        rounds: usize,
        is_quick: bool,
    ) -> Outcome<(TempDir, Self)> {
        let this = std::env::current_exe()?;
        let beside = this.parent().ok_or("this program has no directory")?;
        let program = program.unwrap_or_else(|| beside.join("matterbook"));
        if !program.exists() {
            return Err(format!("{} is not there; bench/run builds it.", program.display()).into());
        }
        let directory = directory.as_deref().unwrap_or(beside);
        let files = tempfile::Builder::new().prefix("bench-").tempdir_in(directory)?;
        let session = Self { program, directory: files.path().to_owned(), rounds, is_quick };
        Ok((files, session))
    }

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
