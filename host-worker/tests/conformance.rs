//! Every case of the wire suite over HTTP, against the build that is deployed, served by
//! `host-worker/dev`, in real time. All cases share one Worker and one database. They run in parallel,
//! under the default rate limit. Afterwards the Worker's log must not contain any value of a request or
//! response.

use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use matterbook_conformance::wire::{OverHttp, RecordingService, ServedWorker, WorkerOptions, cases, run};

const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-tests";

/// The number of cases that run in parallel. More would not be faster: those of the rate limit wait a
/// minute, and all share one database.
const PARALLEL_CASES: usize = 12;

fn main() -> std::process::ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(PARALLEL_CASES);
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
    let service = Arc::new(RecordingService::new(http));
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
    assert!(status.success(), "the Worker ends with status 0: {status}");
    assert_eq!(leaks, Vec::<String>::new(), "of {} values, in the log", service.count());
    conclusion.exit_code()
}
