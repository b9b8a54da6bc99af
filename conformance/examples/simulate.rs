//! Simulates the service with faults for as long as it is told to, over each kind of store in turn, with a
//! new seed for each run. Ends 0 where every promise held, or 1 with the shortest list of steps that breaks
//! one, ready to be kept as a file of `tests/simulation/found/`.
//!
//! ```sh
//! cargo run --release -p matterbook-conformance --example simulate -- --seconds 3600
//! cargo run --release -p matterbook-conformance --example simulate -- --seed 17 --store sets
//! cargo run --release -p matterbook-conformance --example simulate -- --replay FILE --store sets
//! ```

#[path = "../tests/simulation/kinds.rs"]
mod kinds;
#[path = "../tests/services/sqlite.rs"]
mod sqlite;

use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use clap::Parser;
use matterbook_conformance::simulation::{Failure, Step, Tally, draw_steps, read_steps, run, shrink, write_steps};

use kinds::Kind;

/// Simulates the service with faults.
#[derive(Parser)]
struct Options {
    /// How long to draw new seeds; without it one seed is run.
    #[arg(long)]
    seconds: Option<u64>,
    /// The first seed; random by default.
    #[arg(long)]
    seed: Option<u64>,
    /// Steps of each run.
    #[arg(long, default_value_t = 300)]
    steps: usize,
    /// Only this kind of store: memory, rows or sets.
    #[arg(long)]
    store: Option<Kind>,
    /// Runs the steps of a file instead.
    #[arg(long)]
    replay: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let kinds = options.store.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
    if let Some(file) = &options.replay {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        return match read_steps(&text) {
            Ok(steps) => verdict(kinds.iter().map(|kind| (*kind, run(&steps, &*kind.fresh())))),
            Err(error) => {
                println!("{error}");
                ExitCode::from(2)
            }
        };
    }
    let begun = Instant::now();
    let limit = Duration::from_secs(options.seconds.unwrap_or_default());
    let mut seed = options.seed.unwrap_or_else(unchosen);
    println!("the first seed is {seed}");
    let (mut runs, mut total) = (0_u64, Tally::default());
    loop {
        let steps = draw_steps(seed, options.steps);
        for kind in &kinds {
            match run(&steps, &*kind.fresh()) {
                Ok(tally) => {
                    runs += 1;
                    add(&mut total, tally);
                }
                Err(failure) => return broken(seed, *kind, steps, &failure),
            }
        }
        if begun.elapsed() >= limit {
            break;
        }
        seed = seed.wrapping_add(1);
    }
    let Tally { requests, calls, faults, changes, digest } = total;
    println!("the last seed is {seed}; {:.1} s", begun.elapsed().as_secs_f64());
    println!("{runs} runs, {requests} requests, {calls} calls of the store, {faults} faults, {changes} changes");
    println!("no promise was broken; the digest of the answers is {digest:016x}");
    ExitCode::SUCCESS
}

fn add(total: &mut Tally, tally: Tally) {
    total.requests += tally.requests;
    total.calls += tally.calls;
    total.faults += tally.faults;
    total.changes += tally.changes;
    total.digest = total.digest.rotate_left(1) ^ tally.digest;
}

/// A seed from the clock.
fn unchosen() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or_default()
}

fn verdict(runs: impl Iterator<Item = (Kind, Result<Tally, Failure>)>) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for (kind, outcome) in runs {
        match outcome {
            Ok(tally) => println!("{}: no promise was broken in {} requests", kind.name(), tally.requests),
            Err(failure) => {
                println!("{}: {failure}", kind.name());
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// Says what is broken, and by how little.
fn broken(seed: u64, kind: Kind, steps: Vec<Step>, failure: &Failure) -> ExitCode {
    println!("seed {seed} over {} breaks a promise: {failure}", kind.name());
    let is_it = |steps: &[Step]| run(steps, &*kind.fresh()).is_err_and(|found| found.promise == failure.promise);
    let steps = shrink(steps, is_it);
    if let Err(failure) = run(&steps, &*kind.fresh()) {
        println!("\nThe shortest list of steps: {failure}\n");
    }
    println!("{}", write_steps(&steps));
    ExitCode::FAILURE
}
