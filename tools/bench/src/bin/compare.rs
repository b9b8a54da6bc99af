//! Measures the service against its floors, in one run, and prints a table.

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use matterbook_bench::{
    Outcome,
    floor::{serve_orders, serve_sockets, serve_web},
    place::sync_time,
    report::{Machine, Report, bars, markdown, with_figures},
    work::{GROUPS, Session},
};

/// Measures the service and its floors in turns and prints a table.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    floor: Option<Floor>,
    /// Fewer clients, accounts and rounds.
    #[arg(long)]
    quick: bool,
    /// Only these groups of rows; several with commas. `--only list` lists them.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// How often each row is measured [default: 5, or 3 with --quick].
    #[arg(long)]
    rounds: Option<usize>,
    /// Writes everything as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Writes a picture.
    #[arg(long)]
    svg: Option<PathBuf>,
    /// Puts the tables into a page with marks for them, such as docs/performance.md.
    #[arg(long)]
    docs: Option<PathBuf>,
    /// The program of the service [default: matterbook in the directory of this program].
    #[arg(long)]
    program: Option<PathBuf>,
    /// Another build of the service, such as an older one, to measure in the same turns.
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// Where databases are made, on the disk to be measured [default: the directory of this program].
    #[arg(long)]
    directory: Option<PathBuf>,
}

/// The floors run in their own processes, like the service.
#[derive(Subcommand)]
enum Floor {
    #[command(name = "bare-tables", hide = true)]
    Tables,
    #[command(name = "bare-web", hide = true)]
    Web { constant: PathBuf },
    #[command(name = "bare-sockets", hide = true)]
    Sockets { answer_bytes: usize },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match &arguments.floor {
        None => compare(&arguments),
        Some(Floor::Tables) => serve_orders().map(|()| true),
        Some(Floor::Web { constant }) => serve_web(constant).map(|()| true),
        Some(Floor::Sockets { answer_bytes }) => serve_sockets(*answer_bytes).map(|()| true),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures the groups; `false` when one failed.
fn compare(arguments: &Arguments) -> Outcome<bool> {
    if let Some(unknown) = arguments.only.iter().find(|name| GROUPS.iter().all(|group| group.name != **name)) {
        let names: Vec<_> = GROUPS.iter().map(|group| format!("{} ({})", group.name, group.about)).collect();
        return Err(format!("There is no group {unknown}; there are {}.", names.join(", ")).into());
    }
    let rounds = arguments.rounds.unwrap_or(if arguments.quick { 3 } else { 5 });
    let (program, against, directory) =
        (arguments.program.clone(), arguments.against.clone(), arguments.directory.clone());
    let (_files, session) = Session::open(program, against, directory, rounds, arguments.quick)?;
    let machine = Machine {
        cores: std::thread::available_parallelism()?.get(),
        sync_millis: sync_time(&session.directory)?,
        sqlite: rusqlite::version(),
    };
    let mut report = Report { machine, rounds, is_quick: arguments.quick, rows: Vec::new() };
    let mut is_whole = true;
    for group in
        GROUPS.iter().filter(|group| arguments.only.is_empty() || arguments.only.iter().any(|name| name == group.name))
    {
        match (group.measure)(&session) {
            Ok(rows) => report.rows.extend(rows),
            Err(error) => {
                eprintln!("{}: {error}", group.name);
                is_whole = false;
            }
        }
    }
    let text = markdown(&report);
    print!("{text}");
    for directory in [&arguments.json, &arguments.svg].into_iter().flatten().filter_map(|path| path.parent()) {
        std::fs::create_dir_all(directory)?;
    }
    if let Some(path) = &arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
    }
    if let Some(path) = &arguments.svg {
        bars(&report, path)?;
    }
    if let Some(path) = &arguments.docs {
        let page = with_figures(&std::fs::read_to_string(path)?, &text).ok_or("the page has no marks for figures")?;
        std::fs::write(path, page)?;
    }
    Ok(is_whole)
}
