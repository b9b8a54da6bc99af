//! Every case of the wire suite over HTTP, against the Worker as it is deployed, served by
//! `host-worker/dev`, by the clock on the wall. All cases share the one Worker and its database and
//! run at once, under the default rate limit. At the end, nothing that any of them sent or was answered
//! is in the Worker's log.

use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook_conformance::wire::{OverHttp, Overheard, ServedWorker, WorkerOptions, cases, run};

const OPERATOR_TOKEN: &str = "operator-token-of-the-tests";

/// Cases that run at once. More would not end sooner, since those of the rate limit wait a minute,
/// and one database has to do the work of all.
const AT_ONCE: usize = 12;

fn main() -> std::process::ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let state = tempfile::tempdir().expect("a directory for the database");
    let settings = [
        ("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN),
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "2"),
        ("MATTERBOOK_PROSPECT_DELAY_SECONDS", "2"),
    ];
    let worker = ServedWorker::start(&WorkerOptions {
        state: state.path().to_owned(),
        settings: settings.map(|(name, value)| (name, value.to_owned())).to_vec(),
        with_test_hooks: false,
    })
    .unwrap_or_else(|problem| panic!("{problem}"));
    let http: &OverHttp = Box::leak(Box::new(OverHttp::connect(&worker.url, OPERATOR_TOKEN).expect("it answers")));
    let service = Arc::new(Overheard::new(http));
    let trials = cases::all()
        .map(|case| {
            let service = Arc::clone(&service);
            Trial::test(case.name, move || run(case, &*service).held().map_err(Failed::from))
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if conclusion.has_failed() {
        let log = worker.log();
        let causes: Vec<&str> = log.iter().map(String::as_str).filter(|line| line.contains("\"cause\"")).collect();
        eprintln!("The Worker's log of its own failures, by request id:\n{}", causes.join("\n"));
    }
    let leaks = service.leaks(&worker.log());
    let status = worker.stop().expect("the Worker ends");
    assert!(status.success(), "the Worker ends as it should: {status}");
    assert_eq!(leaks, Vec::<String>::new(), "of {} values, in the log", service.count());
    conclusion.exit_code()
}
