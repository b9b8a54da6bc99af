//! Measures the service against its floors, in one run, and prints a table.

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};
use matterbook_bench::{
    Outcome,
    floor::{serve_orders, serve_sockets, serve_web},
    place::sync_time,
    report::{Machine, Report, bars, markdown, more_floors, processor_times},
    work::{GROUPS, Session},
};

/// Measures the service against what no service can be below, in turns, and prints a table.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    floor: Option<Floor>,
    /// Fewer clients, accounts and rounds: a first look in a minute or two.
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
    /// The service's program [default: the one built beside this].
    #[arg(long)]
    program: Option<PathBuf>,
    /// Where files are made: on the disk that is to be measured [default: beside this program].
    #[arg(long)]
    directory: Option<PathBuf>,
}

/// The floors are processes of their own, as the service is.
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

/// Measures; `false` when a group could not be.
fn compare(arguments: &Arguments) -> Outcome<bool> {
    if let Some(unknown) = arguments.only.iter().find(|name| GROUPS.iter().all(|group| group.name != **name)) {
        let names: Vec<_> = GROUPS.iter().map(|group| format!("{} ({})", group.name, group.about)).collect();
        return Err(format!("There is no group {unknown}; there are {}.", names.join(", ")).into());
    }
    let rounds = arguments.rounds.unwrap_or(if arguments.quick { 3 } else { 5 });
    let (_files, session) =
        Session::open(arguments.program.clone(), arguments.directory.clone(), rounds, arguments.quick)?;
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
    print(&report);
    if let Some(path) = &arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n")?;
    }
    if let Some(path) = &arguments.svg {
        bars(&report, path)?;
    }
    Ok(is_whole)
}

fn print(report: &Report) {
    let Machine { cores, sync_millis, sqlite } = &report.machine;
    println!(
        "{cores} cores; 4 KiB are on the disk in {:.2} ms ({:.2}–{:.2}); SQLite {sqlite}. Medians of {} rounds{}.\n",
        sync_millis.median,
        sync_millis.low,
        sync_millis.high,
        report.rounds,
        if report.is_quick { ", with fewer clients than the goals speak of" } else { "" }
    );
    print!("{}", markdown(report));
    let more = more_floors(report);
    if !more.is_empty() {
        print!("\nFurther floors:\n\n{more}");
    }
    let times = processor_times(report);
    if !times.is_empty() {
        print!("\nProcessor time of a request:\n\n{times}");
    }
}
