//! The Matterbook service on one machine: everything is in the library, so that tests and other
//! programs can start it too.

use std::process::ExitCode;

fn main() -> ExitCode {
    matterbook::cli::run(std::env::args_os())
}
