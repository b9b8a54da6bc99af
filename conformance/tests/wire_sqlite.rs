//! Every case of the wire suite over the SQL store on SQLite, in process, in both of its forms: as
//! the native host runs it, and as the Worker does, which remembers the keys that it saw.

#[expect(dead_code, reason = "this program uses a part of them")]
mod services;

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook_conformance::wire::{Case, Service, cases, run};
use matterbook_core::memory::ManualPlatform;
use matterbook_store_sql::SqlStore;
use services::sqlite::{Database, InRows, InSets};

fn trial<S: Service>(form: &str, case: &'static Case, service: impl FnOnce() -> S + Send + 'static) -> Trial {
    Trial::test(case.name, move || run(case, &service()).held().map_err(Failed::from)).with_kind(form)
}

fn main() -> std::process::ExitCode {
    let in_rows = |case| trial("rows", case, || services::over(InRows(Database::new())).with_console());
    let in_sets = |case| {
        trial("sets", case, || {
            let store = SqlStore::new(InSets(Database::new()));
            services::remembering(store, services::settings(), ManualPlatform::new(services::start())).with_console()
        })
    };
    let trials = cases::all().map(in_rows).chain(cases::all().map(in_sets)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
