//! Every case of the wire suite over HTTP, against the native host on a file, with the real clock. All
//! cases share one server and run concurrently, so each must tolerate the others. The rate limit is
//! off, so that no case waits a minute; the host's own tests check it over HTTP with a manual clock.

#[expect(dead_code, reason = "this program uses a part of them")]
mod services;

use std::{sync::Arc, time::Duration};

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook::http::Limits;
use matterbook_conformance::wire::{OverHttp, cases, run};
use services::{OPERATOR_TOKEN, native::Native};

/// Cases that run at once: nearly all of a case's time is waiting.
const AT_ONCE: usize = 32;

fn main() -> std::process::ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let settings = [
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "2"),
        ("MATTERBOOK_PROSPECT_DELAY_SECONDS", "2"),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"),
    ];
    let native = Native::start(&settings, Limits { body_timeout: Duration::from_secs(5), ..Limits::default() });
    let service = Arc::new(OverHttp::connect(&native.url, OPERATOR_TOKEN).expect("a service that answers"));
    let trials = cases::all()
        .map(|case| {
            let service = Arc::clone(&service);
            Trial::test(case.name, move || run(case, &*service).held().map_err(Failed::from))
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    assert!(native.stop(), "the service finishes what it accepted");
    conclusion.exit_code()
}
