//! Syncs and checkpoints that fail.
//!
//! More failed syncs, with figures:
//!
//! ```sh
//! SYNC_FAILURES=100 cargo test -p matterbook --test native failed_sync_of_the_file -- --nocapture
//! ```

use std::{
    io::Read as _,
    process::ExitStatus,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{
    full::{large_batch, log_of},
    library::{Disk, EIO, ENOSPC, Faults, Which},
};
use crate::support::{Serving, account, batch, matterbook, post};

const BATCH_ROWS: usize = 500;
const POSTERS: usize = 3;
/// Far more than a service takes to end.
const END_MAX: Duration = Duration::from_secs(60);

/// Waits for a service that ends by itself.
pub fn end_of(serving: &mut Serving) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = serving.process.try_wait().expect("its state") {
            return status;
        }
        assert!(began.elapsed() < END_MAX, "the service did not end");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Posts until the service is gone; the batches that were answered 200, of which none was sent after a failure.
fn post_until_gone(disk: &Disk, origin: &str, key: &str, next: &AtomicUsize) -> Vec<usize> {
    let mut answered = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let has_failed = disk.failures() > 0;
        let clients = batch((0..BATCH_ROWS).map(|row| format!("{number}-{row}")));
        match post(origin, key, "/api/v1/clients", &clients) {
            Some((200, _)) => {
                assert!(!has_failed, "batch {number} was sent after a sync of the file had failed, and answered 200");
                answered.push(number);
            }
            // It is about to end.
            Some((500, _)) => {}
            Some((status, answer)) => panic!("{status} {answer}"),
            None => return answered,
        }
    }
}

#[test]
fn after_a_failed_sync_of_the_file_nothing_is_answered_200_and_the_service_ends() {
    let rounds: usize = std::env::var("SYNC_FAILURES").map_or(2, |text| text.parse().expect("a number"));
    let mut disk = Disk::new();
    let (mut answered_in_all, mut failures) = (0, 0);
    for round in 0..rounds {
        disk.begin_again();
        let (_, key) = account(&disk.place.database());
        let mut serving = disk.serve_logged();
        let mut errors = serving.process.stderr.take().expect("a pipe");
        let log = thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).map(|_| text)
        });
        // The checkpoints of a round fail from the first, the second or the third sync of the file on.
        let successes = i64::try_from(round % 3).expect("a small number");
        disk.fail(Faults { sync_error: Some(EIO), only: Some(Which::Database), successes, ..Faults::default() });
        let next = AtomicUsize::new(0);
        let answered: Vec<usize> = thread::scope(|scope| {
            let poster = || post_until_gone(&disk, &serving.origin, &key, &next);
            let posters: Vec<_> = (0..POSTERS).map(|_| scope.spawn(poster)).collect();
            posters.into_iter().flat_map(|poster| poster.join().expect("no panic")).collect()
        });
        assert_eq!(end_of(&mut serving).code(), Some(1), "its supervisor starts it again");
        failures += disk.mend();
        let log = log.join().expect("no panic").expect("the log");
        assert!(log.contains("could not be synced"), "it says why: {log}");

        let serving = Serving::start(&disk.place.database());
        for number in &answered {
            for row in [0, BATCH_ROWS - 1] {
                let (status, page) = serving.get(&key, &format!("/api/v1/clients?external_id={number}-{row}"));
                let found = page["clients"].as_array().map_or(0, Vec::len);
                assert_eq!((status, found), (200, 1), "batch {number} was answered 200");
            }
        }
        answered_in_all += answered.len();
    }
    println!(
        "{rounds} services whose file could not be synced ({failures} failed syncs): {answered_in_all} batches \
         answered 200 before, each there after a restart; 0 sent after it answered 200"
    );
}

/// What `doctor` says of the service.
fn service_finding(origin: &str) -> Value {
    let output = matterbook(&["doctor", "--url", origin, "--json"]).output().expect("the program starts");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = answer["doctor"]["findings"].as_array().expect("findings");
    findings.iter().find(|finding| finding["check"] == "service").expect("a finding").clone()
}

#[test]
fn a_failed_checkpoint_is_logged_counted_and_shown_by_health_and_doctor() {
    let disk = Disk::new();
    let (_, key) = account(&disk.place.database());
    let mut serving = disk.serve_with_flags(&["--metrics-listen", "127.0.0.1:0"]);
    let (log, metrics) = (log_of(&mut serving), serving.metrics());
    let failed_checkpoints = || {
        let page = ureq::get(&metrics).call().expect("an answer").body_mut().read_to_string().expect("a page");
        let value = page.lines().find_map(|line| line.strip_prefix("matterbook_checkpoints_failed_total "));
        value.expect("a counter").parse::<u64>().expect("a number")
    };
    let post = |name: &str| serving.post(&key, "/api/v1/clients", &large_batch(name)).0;
    assert_eq!((failed_checkpoints(), serving.get("no-key", "/healthz").1["status"].clone()), (0, "ok".into()));

    disk.fail(Faults { write_error: Some(ENOSPC), only: Some(Which::Database), ..Faults::default() });
    let mut names = (0..).map(|number| format!("b{number}"));
    while failed_checkpoints() == 0 {
        assert_eq!(post(&names.next().expect("endless")), 200, "a checkpoint fails no request");
    }
    let (status, health) = serving.get("no-key", "/healthz");
    assert_eq!((status, &health["status"]), (200, &Value::from("warning")), "{health}");
    let problem = health["problem"].as_str().expect("a sentence");
    assert!(problem.contains("cannot be copied into the database file"), "{problem}");
    let finding = service_finding(&serving.origin);
    assert_eq!(finding["verdict"], "warn", "{finding}");
    assert!(finding["message"].as_str().is_some_and(|message| message.contains(problem)), "{finding}");

    disk.mend();
    let began = Instant::now();
    while serving.get("no-key", "/healthz").1["status"] != "ok" {
        assert!(began.elapsed() < END_MAX, "the log is copied once there is room");
        assert_eq!(post(&names.next().expect("endless")), 200);
    }
    assert_eq!(service_finding(&serving.origin)["verdict"], "ok");
    let lines: Vec<Value> = log.try_iter().filter(|line| line["level"] != "INFO").collect();
    let [line] = lines.as_slice() else { panic!("one line: {lines:?}") };
    assert!(line["cause"].as_str().is_some_and(|cause| cause.contains("full")), "{line}");
}
