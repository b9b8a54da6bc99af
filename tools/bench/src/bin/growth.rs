//! Measures the cost of each operation by size and draws it.

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use matterbook_bench::{Outcome, growth::measure, report::curves, work::Session};

/// Measures the cost of each operation by size and draws it.
#[derive(Parser)]
struct Arguments {
    /// Smaller sizes.
    #[arg(long)]
    quick: bool,
    /// The number of rounds.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Where the pictures and growth.json are written.
    #[arg(long, default_value = "docs/performance")]
    output: PathBuf,
    /// The program of the service [default: matterbook in the directory of this program].
    #[arg(long)]
    program: Option<PathBuf>,
    /// Where databases are made, on the disk to be measured [default: the directory of this program].
    #[arg(long)]
    directory: Option<PathBuf>,
}

fn main() -> ExitCode {
    match grow(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn grow(Arguments { quick, rounds, output, program, directory }: Arguments) -> Outcome<()> {
    let (_files, session) = Session::open(program, None, directory, rounds, quick)?;
    let figures = measure(&session)?;
    std::fs::create_dir_all(&output)?;
    for figure in &figures {
        let path = output.join(figure.name).with_extension("svg");
        curves(&path, figure.title, figure.sizes, figure.figures, &figure.curves())?;
    }
    std::fs::write(output.join("growth.json"), serde_json::to_string_pretty(&figures)? + "\n")?;
    Ok(())
}
