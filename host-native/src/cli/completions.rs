//! `matterbook completions SHELL`

pub(super) use clap_complete::Shell;

use super::{commands, outcome::Shown};

/// The script that a shell reads to complete commands and flags.
pub(super) fn run(shell: Shell) -> Shown {
    let mut script = Vec::new();
    // The program reads the value itself, to name the variable or the flag when it refuses one.
    let mut commands = commands().mut_arg("log", |log| log.value_parser(["json", "text"]));
    clap_complete::generate(shell, &mut commands, "matterbook", &mut script);
    Shown { text: String::from_utf8_lossy(&script).into_owned(), ..Shown::default() }
}
