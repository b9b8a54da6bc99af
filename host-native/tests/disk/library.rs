//! The preloaded library between a service and its disk.

use std::{
    fs::{File, OpenOptions},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::support::{OPERATOR_TOKEN, Place, Serving};

/// Which file of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    Database = 1,
    Log = 2,
    /// The index of the log, which the connections share as memory (`-shm`).
    Index = 3,
}

/// What fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// So many writes and syncs succeed before one fails.
    pub successes: i64,
    /// The error of every write from then on.
    pub write_error: Option<i64>,
    /// The error of every sync from then on.
    pub sync_error: Option<i64>,
    /// The only file that it meets.
    pub only: Option<Which>,
}

/// No space is left on the device.
pub const ENOSPC: i64 = 28;
/// The device failed.
pub const EIO: i64 = 5;

/// A service on a disk of the library's.
pub struct Disk {
    pub place: Place,
    directory: TempDir,
    library: PathBuf,
    faults: File,
}

impl Disk {
    /// A directory on a disk that does not fail yet.
    pub fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let place = Place::within(directory.path());
        let library = directory.path().join("disk.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/disk/disk.c");
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl");
        assert!(command.status().expect("a C compiler").success(), "the library is built");
        let faults =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(directory.path().join("faults"));
        let faults = faults.expect("a file of faults");
        faults.set_len(4_096).expect("room");
        Self { place, directory, library, faults }
    }

    /// Serves the database of the place.
    pub fn serve(&self) -> Serving {
        self.serve_with(Stdio::null(), &[], |_| {})
    }

    /// Serves it with the log in a pipe, which somebody has to read.
    pub fn serve_logged(&self) -> Serving {
        self.serve_with(Stdio::piped(), &[], |_| {})
    }

    /// Serves it, and writes down all that is written and synced.
    pub fn serve_recorded(&self, record: &Path) -> Serving {
        File::create(record).expect("a record");
        self.serve_with(Stdio::null(), &[], |command| {
            command.env("DISK_RECORD", record);
        })
    }

    /// Serves it with more flags, and with the log in a pipe.
    pub fn serve_with_flags(&self, flags: &[&str]) -> Serving {
        self.serve_with(Stdio::piped(), flags, |_| {})
    }

    /// Another directory on the same disk, which does not fail.
    pub fn begin_again(&mut self) {
        self.mend();
        self.place = Place::within(self.directory.path());
    }

    fn serve_with(&self, log: Stdio, more: &[&str], prepare: impl FnOnce(&mut Command)) -> Serving {
        let flags = ["--client-delay-seconds", "0", "--rate-limit-per-minute", "0", "--operator-token", OPERATOR_TOKEN];
        Serving::start_prepared(
            &self.place.database(),
            &[flags.as_slice(), &["--log", "json"], more].concat(),
            log,
            |command| {
                command.env("LD_PRELOAD", &self.library);
                command.env("DISK_UNDER", self.place.file(""));
                command.env("DISK_FAULTS", self.directory.path().join("faults"));
                prepare(command);
            },
        )
    }

    /// From now on this fails.
    pub fn fail(&self, faults: Faults) {
        let only = faults.only.map_or(0, |file| file as i64);
        // The errors last: they are what begins it.
        self.set(0, faults.successes);
        self.set(3, only);
        self.set(4, 0);
        self.set(2, faults.sync_error.unwrap_or(0));
        self.set(1, faults.write_error.unwrap_or(0));
    }

    /// From now on nothing fails; how often something did.
    pub fn mend(&self) -> i64 {
        self.set(1, 0);
        self.set(2, 0);
        self.failures()
    }

    /// How often something failed since the last [`Disk::fail`].
    pub fn failures(&self) -> i64 {
        self.get(4)
    }

    fn set(&self, place: u64, value: i64) {
        self.faults.write_all_at(&value.to_ne_bytes(), 8 * place).expect("the faults are told");
    }

    fn get(&self, place: u64) -> i64 {
        let mut bytes = [0; 8];
        self.faults.read_exact_at(&mut bytes, 8 * place).expect("the faults are read");
        i64::from_ne_bytes(bytes)
    }
}
