//! `matterbook man --out DIR`

use std::path::Path;

use super::{
    commands,
    outcome::{Failure, Shown},
};

/// Writes `matterbook.1` and a page for each subcommand.
pub(super) fn run(directory: &Path) -> Result<Shown, Failure> {
    let written = clap_mangen::generate_to(with_all_settings(commands()), directory);
    written.map_err(|error| Failure::refused(format!("{} cannot be written: {error}.", directory.display())))?;
    let text = format!("The manual pages are in {}.\n", directory.display());
    Ok(Shown { text: text.into(), ..Shown::default() })
}

/// Pages show the flags that `-h` leaves to `--help`. Flags hidden from both have no text in a page.
fn with_all_settings(command: clap::Command) -> clap::Command {
    command.mut_args(|argument| argument.hide_short_help(false)).mut_subcommands(with_all_settings)
}
