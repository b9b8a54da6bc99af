//! One run: which programs are measured, where, and how often.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{
    Outcome,
    service::{Service, Start},
};

/// The directory of the other program's files.
const AGAINST: &str = "against";

/// One run of the comparison.
#[derive(Clone, Debug)]
pub struct Session {
    /// The service's program.
    pub program: PathBuf,
    /// Another build of it, measured in the same turns.
    pub against: Option<PathBuf>,
    /// Where files are made, on the disk that is measured.
    pub directory: PathBuf,
    /// How often each row is measured.
    pub rounds: usize,
    /// Fewer clients.
    pub is_quick: bool,
}

impl Session {
    /// A run of the named program, by default the one in this program's directory. The files are made in a
    /// temporary directory inside `directory`, by default inside this program's directory: the system's
    /// directory of temporary files is often in memory. It is removed when the first result is dropped.
    ///
    /// # Errors
    /// When a program or the directory does not exist.
    pub fn open(
        program: Option<PathBuf>,
        against: Option<PathBuf>,
        directory: Option<PathBuf>,
        rounds: usize,
        is_quick: bool,
    ) -> Outcome<(TempDir, Self)> {
        let this = std::env::current_exe()?;
        let own_directory = this.parent().ok_or("this program has no directory")?;
        let program = program.unwrap_or_else(|| own_directory.join("matterbook"));
        if let Some(missing) = [Some(&program), against.as_ref()].into_iter().flatten().find(|file| !file.exists()) {
            return Err(format!("{} does not exist; tools/bench/run builds the service.", missing.display()).into());
        }
        let directory = directory.as_deref().unwrap_or(own_directory);
        let files = tempfile::Builder::new().prefix("bench-").tempdir_in(directory)?;
        std::fs::create_dir(files.path().join(AGAINST))?;
        let session = Self { program, against, directory: files.path().to_owned(), rounds, is_quick };
        Ok((files, session))
    }

    /// A session of each program: the service, and with `--against` the other one, with files of its own.
    #[must_use]
    pub fn programs(&self) -> Vec<Self> {
        let other = |program: &PathBuf| Self {
            program: program.clone(),
            against: None,
            directory: self.directory.join(AGAINST),
            ..self.clone()
        };
        std::iter::once(Self { against: None, ..self.clone() }).chain(self.against.as_ref().map(other)).collect()
    }

    /// `whole`, or `quick` in a quick run.
    #[must_use]
    pub const fn size(&self, whole: usize, quick: usize) -> usize {
        if self.is_quick { quick } else { whole }
    }

    /// Prints progress.
    pub fn say(&self, what: impl std::fmt::Display) {
        eprintln!("{what}");
    }

    /// A path for a new database of this name. Files of an earlier one are removed.
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

    /// Starts the service on a file, without rate limit.
    #[must_use]
    pub fn on(&self, database: &Path) -> Start {
        let database = database.to_owned();
        Start { program: self.program.clone(), database, rate_limit_per_minute: 0, preload: None }
    }

    /// Starts the service on a new file.
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
