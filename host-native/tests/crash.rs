//! The service on a real file is killed with SIGKILL at random moments under load. After each kill, the data
//! is checked against the answers that its callers received.
//!
//! Run it hundreds of times, with figures:
//!
//! ```sh
//! CRASH_KILLS=300 CRASH_SEED=1 cargo test --release -p matterbook --test native crash:: -- --nocapture
//! ```

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use crate::support::{Place, Serving, matterbook, run};
use matterbook_conformance::crash::{self, Host, OPERATOR_TOKEN, Options};
use rusqlite::{Connection, OpenFlags};

/// A service on a file, with the setting that shows changes at once.
struct Native {
    place: Place,
    serving: Option<Serving>,
    backups: std::cell::Cell<usize>,
}

const FLAGS: [&str; 6] =
    ["--client-delay-seconds", "0", "--rate-limit-per-minute", "0", "--operator-token", OPERATOR_TOKEN];

impl Host for Native {
    fn start(&mut self) -> Result<String, String> {
        let serving = Serving::start_with(&self.place.database(), &FLAGS);
        let url = serving.origin.clone();
        self.serving = Some(serving);
        Ok(url)
    }

    fn kill(&mut self) -> Result<(), String> {
        // Dropped, it is killed and waited for.
        self.serving.take().map(drop).ok_or_else(|| "nothing is served".to_owned())
    }

    fn kill_at_start(&mut self, after: Duration) -> Result<bool, String> {
        let database = self.place.database();
        let mut command = matterbook(&["serve", "--listen", "127.0.0.1:0", "--db"]);
        command.arg(&database).args(FLAGS).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut process = command.spawn().map_err(|error| error.to_string())?;
        std::thread::sleep(after);
        process.kill().and_then(|()| process.wait()).map(|_| true).map_err(|error| error.to_string())
    }

    fn check_files(&self) -> Result<(), String> {
        // A copy is looked at, so that the next start finds the files as the death left them.
        let copy = self.place.file("looked-at.db");
        for suffix in ["", "-wal"] {
            let from = self.place.file(&format!("matterbook.db{suffix}"));
            let to = PathBuf::from(format!("{}{suffix}", copy.display()));
            let _ = std::fs::remove_file(&to);
            if from.exists() {
                std::fs::copy(&from, &to).map_err(|error| error.to_string())?;
            }
        }
        let _ = std::fs::remove_file(format!("{}-shm", copy.display()));
        is_whole(&copy).map(drop)
    }

    fn back_up(&self) -> Result<Option<BTreeSet<String>>, String> {
        self.backups.set(self.backups.get() + 1);
        let copy = self.place.file(&format!("copy-{}.db", self.backups.get()));
        let (database, name) = (self.place.database(), copy.display().to_string());
        let output = run(&["backup", &name, "--db", &database.display().to_string()]);
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let kept = is_whole(&copy)?;
        std::fs::remove_file(&copy).map_err(|error| error.to_string())?;
        Ok(Some(kept))
    }
}

/// Checks a database as SQLite can; the `external_id`s in it.
fn is_whole(file: &std::path::Path) -> Result<BTreeSet<String>, String> {
    let read = || -> rusqlite::Result<(String, i64, BTreeSet<String>)> {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let verdict = connection.query_row("pragma integrity_check", [], |row| row.get(0))?;
        let orphans = connection.query_row("select count(*) from pragma_foreign_key_check", [], |row| row.get(0))?;
        let mut statement = connection.prepare("select external_id from clients where external_id is not null")?;
        let ids = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok((verdict, orphans, ids))
    };
    match read().map_err(|error| error.to_string())? {
        (verdict, 0, ids) if verdict == "ok" => Ok(ids),
        (verdict, orphans, _) => Err(format!("the database is not whole: {verdict}, {orphans} orphans")),
    }
}

/// The number in an environment variable, for a longer run.
fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn killed_at_any_moment_it_keeps_what_it_answered_and_nothing_by_half() {
    let mut host = Native { place: Place::new(), serving: None, backups: std::cell::Cell::new(0) };
    let kills = u32::try_from(asked("CRASH_KILLS", 25)).expect("a number of kills");
    let options = Options { kills, seed: asked("CRASH_SEED", 1), ..Options::default() };
    match crash::run(&mut host, &options) {
        Ok(report) => println!("{report}"),
        Err(problem) => panic!("{problem}"),
    }
}
