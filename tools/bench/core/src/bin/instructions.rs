//! Counts the instructions of the core's hot paths and compares them with the checked-in counts.

use std::{path::Path, process::ExitCode};

use matterbook_bench_core::{
    Outcome,
    callgrind::count,
    counts::{BAND_PERCENT, Counts, Row, Standing, compare, table},
    hot_paths::HOT_PATHS,
};

const USAGE: &str = "\
Counts the instructions of the core's hot paths under callgrind and compares them with the checked-in
counts. Needs valgrind.

Usage: tools/bench/run instructions [--update]

  --update    Write the counts to the checked-in file
  -h, --help  Print this

The exit status is 0, or 1 when a path takes over 10 % more instructions than checked in.";

/// Relative to the repository's root, where `tools/bench/run` starts this program.
const CHECKED_IN: &str = "tools/bench/instructions.txt";

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
    let count = |is_counted: fn(Standing) -> bool| rows.iter().filter(|row| is_counted(row.standing())).count();
    let fewer = count(|standing| standing == Standing::Fewer);
    if fewer > 0 {
        println!("\n{fewer} of {} paths take over {BAND_PERCENT} % fewer instructions than checked in.", rows.len());
    }
    let failures = count(Standing::is_failure);
    if failures == 0 {
        return Ok(());
    }
    Err(format!(
        "\n{failures} of {} paths take over {BAND_PERCENT} % more instructions than checked in, or have no counterpart. \
         If that is intended: tools/bench/run instructions --update",
        rows.len()
    )
    .into())
}

fn updated(counted: &Counts) -> Outcome<()> {
    // Without a readable file, every path counts as new.
    let rows: Vec<Row> = compare(counted, &checked_in().unwrap_or_default());
    print!("{}", table(&rows));
    Ok(std::fs::write(CHECKED_IN, counted.to_text())?)
}

fn checked_in() -> Outcome<Counts> {
    let text = std::fs::read_to_string(Path::new(CHECKED_IN)).map_err(|error| format!("{CHECKED_IN}: {error}"))?;
    Counts::parse(&text).map_err(|error| format!("{CHECKED_IN}: {error}").into())
}
