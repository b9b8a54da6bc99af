//! Every case of the wire suite over HTTP, served by `host-worker/dev`, in real time, in both profiles. All cases share
//! one Worker and one database. They run in parallel, under the default rate limit. Afterwards the Worker's log must not
//! contain any value of a request or response.

use matterbook_conformance::wire::{Case, RecordingService, cases, run_all};

use crate::support::{self, Served};

/// The number of cases that run in parallel. More would not be faster: those of the rate limit wait a
/// minute, and all share one database.
const PARALLEL_CASES: usize = 12;

#[test]
fn every_case_of_the_wire_holds_and_leaves_no_value_in_the_log() {
    every_case_holds(&[], |_| true);
}

#[test]
fn every_case_of_the_wire_holds_with_an_object_for_each_account() {
    every_case_holds(&[OBJECTS], |_| true);
}

#[test]
fn every_case_of_prospects_holds_with_three_databases_of_them() {
    let is_of_prospects = |rule: &str| rule.starts_with('P') || ["D4", "O16", "V6", "V7"].contains(&rule);
    every_case_holds(&[OBJECTS, support::SEVERAL_DATABASES], |case| case.rules.split(", ").any(is_of_prospects));
}

const OBJECTS: (&str, &str) = ("MATTERBOOK_PROFILE", "objects");

fn every_case_holds(profile: &[(&'static str, &str)], is_held: impl Fn(&Case) -> bool) {
    let state = support::state();
    let delays = [("MATTERBOOK_CLIENT_DELAY_SECONDS", "2"), ("MATTERBOOK_PROSPECT_DELAY_SECONDS", "2")];
    let served = Served::start(state.path(), &[profile, &delays].concat());
    let service = RecordingService::new(&served.http);
    let cases: Vec<&'static Case> = cases::all().filter(|case| is_held(case)).collect();
    let verdicts = run_all(&cases, &service, PARALLEL_CASES);
    assert_eq!(verdicts.len(), cases.len(), "every case has run");
    assert!(cases.len() > 20, "{} cases are of prospects", cases.len());
    let failed: Vec<String> = verdicts.into_iter().filter_map(|verdict| verdict.held().err()).collect();
    let log = served.worker.log();
    if !failed.is_empty() {
        let causes: Vec<&str> = log.iter().map(String::as_str).filter(|line| line.contains("\"cause\"")).collect();
        println!("The Worker's log of its own failures, by request id:\n{}", causes.join("\n"));
    }
    let (leaks, values) = (service.leaks(&log), service.count());
    served.stop();
    assert!(failed.is_empty(), "{} cases failed:\n\n{}", failed.len(), failed.join("\n\n"));
    assert_eq!(leaks, Vec::<String>::new(), "of {values} values, in the log");
}
