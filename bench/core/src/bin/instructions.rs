//! Counts the instructions of the core's hot paths, and compares them with those that are checked in.

use std::{path::Path, process::ExitCode};

use matterbook_bench_core::{
    Outcome,
    callgrind::count,
    counts::{BAND_PERCENT, Counts, Row, Standing, compare, table},
    hot_paths::HOT_PATHS,
};

const USAGE: &str = "\
Counts the instructions of the core's hot paths under callgrind, and compares them with those that are
checked in. Needs valgrind.

Usage: bench/run instructions [--update]

  --update    Check in what is counted
  -h, --help  Print this

The exit status is 0, or 1 when a path lies outside the band, to either side.";

/// From the project's directory, where `bench/run` starts this.
const CHECKED_IN: &str = "bench/instructions.txt";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => counted().and_then(|counted| compared(&counted)),
        ["--update"] => counted().and_then(|counted| updated(&counted)),
        ["-h" | "--help"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn counted() -> Outcome<Counts> {
    let program = std::env::current_exe()?.with_file_name("hot_path");
    let count = |(path, _)| Ok((String::from(path), count(&program, path)?));
    Ok(Counts(HOT_PATHS.into_iter().map(count).collect::<Outcome<_>>()?))
}

fn compared(counted: &Counts) -> Outcome<()> {
    let rows = compare(counted, &checked_in()?);
    print!("{}", table(&rows));
    let outside = rows.iter().filter(|row| row.standing() != Standing::Within).count();
    if outside == 0 {
        return Ok(());
    }
    Err(format!(
        "\n{outside} of {} paths are not within {BAND_PERCENT} % of what is checked in. Where that is as it should be, \
         gains included, check it in: bench/run instructions --update",
        rows.len()
    )
    .into())
}

fn updated(counted: &Counts) -> Outcome<()> {
    // Where nothing that can be read is checked in, everything is new.
    let rows: Vec<Row> = compare(counted, &checked_in().unwrap_or_default());
    print!("{}", table(&rows));
    Ok(std::fs::write(CHECKED_IN, counted.to_text())?)
}

fn checked_in() -> Outcome<Counts> {
    let text = std::fs::read_to_string(Path::new(CHECKED_IN)).map_err(|error| format!("{CHECKED_IN}: {error}"))?;
    Counts::parse(&text).map_err(|error| format!("{CHECKED_IN}: {error}").into())
}
