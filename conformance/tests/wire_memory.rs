//! Every case of the wire suite over the store in memory, in process, each under its own name:
//! once with the default settings, and once with everything that a setting can switch off.

#[expect(dead_code, reason = "this program uses a part of them")]
mod services;

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook_conformance::wire::{cases, run};
use matterbook_core::{
    memory::{ManualPlatform, MemoryStore},
    settings::Settings,
};

fn switched_off() -> Settings {
    Settings {
        client_delay_seconds: 0,
        prospect_delay_seconds: 0,
        rate_limit_per_minute: 0,
        body_limit_bytes: 1_000_000,
        service_name: "Casebook".to_owned(),
        key_prefix: "cbk_".to_owned(),
        ..services::settings()
    }
}

fn main() -> std::process::ExitCode {
    let setups = [("defaults", services::settings as fn() -> Settings), ("switched off", switched_off)];
    let trials = setups
        .into_iter()
        .flat_map(|(kind, settings)| {
            let has_console = kind == "defaults";
            cases::all().map(move |case| {
                Trial::test(case.name, move || {
                    let platform = ManualPlatform::new(services::start());
                    let service = services::over_with(MemoryStore::default(), settings(), platform);
                    let service = if has_console { service.with_console() } else { service };
                    run(case, &service).held().map_err(Failed::from)
                })
                .with_kind(kind)
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
