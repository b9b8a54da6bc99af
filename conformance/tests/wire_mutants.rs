//! The suite notices: each broken service is caught by the case named for it.

#[expect(dead_code, reason = "this program uses a part of them")]
mod services;

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook_conformance::wire::{
    cases,
    mutants::{self, Broken},
    run,
};

fn main() -> std::process::ExitCode {
    let trials = mutants::all()
        .map(|mutant| {
            Trial::test(mutant.name, move || {
                let Some(case) = cases::all().find(|case| case.name == mutant.caught_by) else {
                    return Err(Failed::from(format!("there is no case {}", mutant.caught_by)));
                };
                let service = services::over_memory();
                match run(case, &Broken::new(&service, mutant)).failure {
                    Some(_) => Ok(()),
                    None => Err(Failed::from(format!("{} did not notice", mutant.caught_by))),
                }
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
