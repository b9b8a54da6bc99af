//! The alarm of the rate limit's object. The test waits longer than any other, a whole window of the limit. Tests
//! start in the order of their names, so it starts first and all others run meanwhile.

use std::{
    thread,
    time::{Duration, Instant},
};

use matterbook_conformance::wire::{Answer, Firm};

use crate::support::{Served, state};

/// The window of the limit (rule R1).
const WINDOW: Duration = Duration::from_secs(60);

#[test]
fn the_object_of_an_unused_key_stores_nothing() {
    const ALARM_SECONDS: u64 = 2;
    let state = state();
    let alarm = ("MATTERBOOK_TEST_ALARM_SECONDS", &*ALARM_SECONDS.to_string());
    let served = Served::start(state.path(), &[alarm]);
    let firm = Firm::open(&served.http).expect("a firm");
    let left_of =
        |answer: &Answer| answer.header("ratelimit").and_then(|field| field.split(';').nth(1)).map(str::to_owned);
    let before = firm.get("/me").expect("an answer");
    let used_at = Instant::now();
    assert_eq!(served.stored_values(), 1);
    let mut is_empty = false;
    while !is_empty && used_at.elapsed() < WINDOW + Duration::from_secs(20 * ALARM_SECONDS) {
        thread::sleep(Duration::from_millis(250));
        is_empty = served.stored_values() == 0;
    }
    assert!(is_empty, "nothing is stored after the window and an alarm");
    assert!(used_at.elapsed() >= WINDOW, "what counts is kept");
    let again = firm.get("/me").expect("an answer");
    assert_eq!(left_of(&again), left_of(&before), "the object counts again");
    assert_eq!(served.stored_values(), 1);
}
