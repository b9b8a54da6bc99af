//! Runs every case of the wire suite over HTTP against the service behind axum, on the system's clock. The
//! rate limit is off and a body has two seconds, so that no case waits a minute.

use std::{sync::Arc, time::Duration};

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook_conformance::wire::{OverHttp, cases, run};
use matterbook_core::{memory::test_key_secrets, settings::Settings};
use tokio::{net::TcpListener, runtime::Runtime};

const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-example";
/// Concurrent cases: a case spends nearly all of its time waiting.
const AT_ONCE: usize = 32;
/// Longer than a body of the suite takes that comes at all.
const BODY_TIMEOUT: Duration = Duration::from_secs(2);

fn main() -> std::process::ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let settings = Settings {
        operator_token: Some(OPERATOR_TOKEN.to_owned()),
        client_delay_seconds: 2,
        prospect_delay_seconds: 2,
        rate_limit_per_minute: 0,
        ..Settings::default()
    };
    let runtime = Runtime::new().expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let router = matterbook_example_axum::router(settings, test_key_secrets(), BODY_TIMEOUT);
    runtime.spawn(async move { axum::serve(listener, router).await });

    let service = Arc::new(OverHttp::connect(&url, OPERATOR_TOKEN).expect("a service that answers"));
    let trials = cases::all()
        .map(|case| {
            let service = Arc::clone(&service);
            Trial::test(case.name, move || run(case, &*service).held().map_err(Failed::from))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
