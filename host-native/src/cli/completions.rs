//! `matterbook completions SHELL`

pub(super) use clap_complete::Shell;

use super::{commands, outcome::Shown};

/// The script with which a shell completes commands and flags.
pub(super) fn run(shell: Shell) -> Shown {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_values(commands()), "matterbook", &mut script);
    Shown { text: String::from_utf8_lossy(&script).into_owned().into(), ..Shown::default() }
}

/// Adds the log formats: the program parses them itself, so that an error can name the variable or the flag.
fn with_values(command: clap::Command) -> clap::Command {
    let with_values_of = |flag: clap::Arg| match flag.get_id().as_str() {
        "log" => flag.value_parser(["json", "text"]),
        _ => flag,
    };
    command.mut_args(with_values_of).mut_subcommands(with_values)
}
