//! Every case of the wire suite over the store in memory, in process, each under its own name.

mod services;

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook_conformance::wire::{cases, run};

fn main() -> std::process::ExitCode {
    let trials = cases::all()
        .map(|case| {
            Trial::test(case.name, move || match run(case, &services::over_memory()).failure {
                None => Ok(()),
                Some(failure) => Err(Failed::from(format!("{} ({})\n{failure}", case.name, case.section))),
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
