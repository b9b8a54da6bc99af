//! Runs one hot path of the core once, for `instructions`, which starts it under callgrind.

use std::process::ExitCode;

use matterbook_bench_core::hot_paths::{HOT_PATHS, warm_up};

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let Some((_, path)) = HOT_PATHS.iter().find(|(name, _)| *name == wanted) else {
        eprintln!("hot_path: there is no path \"{wanted}\"");
        return ExitCode::from(2);
    };
    warm_up();
    path();
    ExitCode::SUCCESS
}
