//! Prints what requests cost the Worker in the profile `MATTERBOOK_PROFILE`, as a Markdown table. See
//! `host-worker/costs`.

use std::process::ExitCode;

use matterbook_conformance::{
    costs::{self, SETTINGS},
    wire::{ServedWorker, WorkerOptions},
};

/// Clients in the account that is measured.
const CLIENTS: usize = 5_000;

fn main() -> ExitCode {
    match table() {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn table() -> Result<String, String> {
    let state = tempfile::tempdir().map_err(|error| error.to_string())?;
    let profile = std::env::var("MATTERBOOK_PROFILE").unwrap_or_else(|_| "d1".to_owned());
    let mut settings = SETTINGS.map(|(name, value)| (name, value.to_owned())).to_vec();
    settings.push(("MATTERBOOK_PROFILE", profile));
    let options = WorkerOptions { state: state.path().to_owned(), settings };
    let worker = ServedWorker::start(&options)?;
    let rows = costs::measure(&worker, CLIENTS).map_err(|failure| failure.to_string())?;
    Ok(costs::markdown(&rows))
}
