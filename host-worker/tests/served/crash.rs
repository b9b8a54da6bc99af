//! The Worker's local state under a runtime that is killed with SIGKILL at random moments under load, and
//! checked after each death against the answers that its callers received.
//!
//! A longer run, with figures:
//!
//! ```sh
//! CRASH_KILLS=50 CRASH_SEED=1 cargo test --release -p matterbook-worker --test worker crash:: -- --nocapture
//! ```

use std::{collections::BTreeSet, time::Duration};

use matterbook_conformance::{
    crash::{self, Host, OPERATOR_TOKEN, Options},
    wire::{ServedWorker, WorkerOptions},
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support;

struct Worker {
    profile: &'static str,
    state: TempDir,
    worker: Option<ServedWorker>,
    /// What the Worker that was killed last had logged.
    log: Vec<String>,
}

impl Host for Worker {
    fn start(&mut self) -> Result<String, String> {
        let settings = [
            ("MATTERBOOK_PROFILE", self.profile),
            ("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN),
            ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"),
            ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0"),
        ];
        let worker = ServedWorker::start(&WorkerOptions {
            state: self.state.path().to_owned(),
            settings: settings.map(|(name, value)| (name, value.to_owned())).to_vec(),
        })?;
        Ok(self.worker.insert(worker).url.clone())
    }

    fn kill(&mut self) -> Result<(), String> {
        let worker = self.worker.take().ok_or("nothing is served")?;
        self.log = worker.log();
        worker.kill().map_err(|error| error.to_string())
    }

    /// A start takes about a second, most of it in tools that are not part of the Worker.
    fn kill_at_start(&mut self, _after: Duration) -> Result<bool, String> {
        Ok(false)
    }

    fn check_files(&self) -> Result<(), String> {
        let files = support::files_under(&self.state.path().join("v3"));
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "sqlite")) {
            let read = || -> rusqlite::Result<String> {
                Connection::open(file)?.query_row("pragma integrity_check", [], |row| row.get(0))
            };
            match read() {
                Ok(verdict) if verdict == "ok" => {}
                verdict => return Err(format!("a file of the state is corrupt: {verdict:?}")),
            }
        }
        Ok(())
    }

    /// D1 is backed up by Cloudflare.
    fn back_up(&self) -> Result<Option<BTreeSet<String>>, String> {
        Ok(None)
    }
}

/// The number in an environment variable, or the default.
fn number_from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn a_kill_loses_no_answered_change_and_leaves_no_partial_one() {
    survives_kills("d1");
}

#[test]
fn a_kill_loses_no_answered_change_of_an_account_in_an_object() {
    survives_kills("objects");
}

fn survives_kills(profile: &'static str) {
    let mut host = Worker { profile, state: support::state(), worker: None, log: Vec::new() };
    let kills = u32::try_from(number_from_environment("CRASH_KILLS", 10)).expect("a number of kills");
    let options = Options {
        kills,
        seed: number_from_environment("CRASH_SEED", 1),
        accounts: 2,
        batch_max: 30,
        answers_max: 40,
        ..Options::default()
    };
    match crash::run(&mut host, &options) {
        Ok(report) => println!("{report}"),
        Err(problem) => {
            let causes: Vec<&str> =
                host.log.iter().map(String::as_str).filter(|line| line.contains("\"cause\"")).collect();
            panic!("{problem}\nThe Worker's log of its own failures, by request id:\n{}", causes.join("\n"));
        }
    }
}
