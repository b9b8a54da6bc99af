//! A large body of undeclared length in a busy isolate (rule W3).

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use matterbook_conformance::wire::{Body, Firm, send};

use crate::support::{Served, state};

const OTHER_CALLERS: usize = 8;
const BODY_BYTES: usize = 12 * 1024 * 1024;

/// The most answers that others get meanwhile. In a turn of the runtime they get some ten, so the number says how many
/// turns the body takes, on any machine. It is about 100, and was 550 in parts of 4 KiB.
const OTHER_ANSWERS_MAX: usize = 250;

/// In the parts that the runtime gives, of 4 KiB, such a body took more than 30 seconds on a busy machine and was 408.
#[test]
fn a_large_chunked_body_is_read_in_few_turns() {
    let state = state();
    let served =
        Served::start(state.path(), &[("MATTERBOOK_PROFILE", "objects"), ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0")]);
    let firm = Firm::open(&served.http).expect("a firm");
    let mut body = b"{\"clients\":[]}".to_vec();
    body.resize(BODY_BYTES, b' ');
    let request = firm.request("POST", "/clients").body(Body::Chunked(body));
    let is_read = AtomicBool::new(false);
    let other_answers = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..OTHER_CALLERS {
            scope.spawn(|| {
                while !is_read.load(Ordering::Relaxed) {
                    firm.get("/me").expect("an answer").expect_status(200).expect("others are served");
                    other_answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let answer = send(&served.http, &request);
        is_read.store(true, Ordering::Relaxed);
        answer.expect("an answer").expect_status(200).expect("the body is read");
    });
    let other_answers = other_answers.into_inner();
    println!("{other_answers} answers to others");
    assert!(other_answers <= OTHER_ANSWERS_MAX, "{other_answers} answers to others while one body was read");
}
