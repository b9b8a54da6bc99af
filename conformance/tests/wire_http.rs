//! Every case of the wire suite over HTTP, against the native host on a file, by the clock on the
//! wall. All cases share the one server and run at once: each has to stand beside the others. The
//! rate limit is off, so that no case waits a minute; the host's own tests hold it over HTTP, on a
//! clock that is moved by hand.

use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook::{server::Limits, service::Service, settings::NativeSettings};
use matterbook_conformance::wire::{OverHttp, cases, run};

const OPERATOR_TOKEN: &str = "operator-token-of-the-tests";

/// Cases that run at once: nearly all of a case's time is waiting.
const AT_ONCE: usize = 32;

fn main() -> std::process::ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let directory = tempfile::tempdir().expect("a directory for the database");
    let file = directory.path().join("matterbook.db").display().to_string();
    let settings = NativeSettings::read(|name| {
        let value = match name {
            "MATTERBOOK_DB" => file.as_str(),
            "MATTERBOOK_LISTEN" => "127.0.0.1:0",
            "MATTERBOOK_OPERATOR_TOKEN" => OPERATOR_TOKEN,
            "MATTERBOOK_CLIENT_DELAY_SECONDS" | "MATTERBOOK_PROSPECT_DELAY_SECONDS" => "2",
            "MATTERBOOK_RATE_LIMIT_PER_MINUTE" => "0",
            _ => return None,
        };
        Some(value.to_owned())
    });
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let limits = Limits { body_timeout: Duration::from_secs(2), ..Limits::default() };
    let native =
        runtime.block_on(Service::start(&settings.expect("settings"), limits)).expect("a service on a free port");
    let url = format!("http://{}/api/v1", native.address());
    let service = std::sync::Arc::new(OverHttp::connect(&url, OPERATOR_TOKEN).expect("a service that answers"));
    let trials = cases::all()
        .map(|case| {
            let service = std::sync::Arc::clone(&service);
            Trial::test(case.name, move || match run(case, &*service).failure {
                None => Ok(()),
                Some(failure) => Err(Failed::from(format!("{} ({})\n{failure}", case.name, case.section))),
            })
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    let is_finished = runtime.block_on(native.stop());
    assert!(is_finished, "the service finishes what it accepted");
    conclusion.exit_code()
}
