//! The exact rate limit on the Worker, with one Durable Object for each key (rules R1, R2 and R8): under
//! parallel load, across a restart and a crash, and only for live keys.

use std::{
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

use crate::support::{Served, state};
use matterbook_conformance::wire::{Answer, Firm, Request, ServedWorker, Service as _, send};
use serde_json::json;

/// The default limit and the window (rule R1).
const LIMIT: usize = 120;
const WINDOW: Duration = Duration::from_secs(60);

fn retry_after(answer: &Answer) -> Duration {
    let seconds = answer.header("retry-after").and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or_else(|| panic!("{}", answer.failure("a Retry-After"))))
}

#[test]
fn of_300_concurrent_requests_120_are_admitted() {
    const REQUESTS: usize = 300;
    let state = state();
    let served = Served::start(state.path(), &[]);
    let firm = Firm::open(&served.http).expect("a firm");
    let barrier = Barrier::new(REQUESTS);
    let began = Instant::now();
    let answers: Vec<(Duration, Answer, Duration)> = thread::scope(|scope| {
        let request = || {
            barrier.wait();
            let sent = began.elapsed();
            let answer = firm.get("/me").expect("an answer");
            (sent, answer, began.elapsed())
        };
        let threads: Vec<_> = (0..REQUESTS).map(|_| scope.spawn(request)).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|(_, answer, _)| answer.status == 200);
    assert_eq!((admitted.len(), refused.len()), (LIMIT, REQUESTS - LIMIT));
    // The remaining numbers go down to 0, each once.
    let mut left: Vec<_> = admitted.iter().filter_map(|(_, answer, _)| answer.header("ratelimit")).collect();
    left.sort_unstable();
    left.dedup_by_key(|field| field.split(';').nth(1));
    assert_eq!(left.len(), LIMIT);
    // The oldest admitted request was counted between the start and its response. A refused request was
    // refused between its sending and its response.
    let oldest_at_the_latest = admitted.iter().map(|(_, _, answered)| *answered).min().expect("an answer");
    for (sent, answer, answered) in refused {
        answer.expect_error(429, "rate_limited").expect("the limit's error");
        let rounding = Duration::from_secs(1);
        let earliest = WINDOW.saturating_sub(*answered);
        let latest = WINDOW.saturating_sub(sent.saturating_sub(oldest_at_the_latest)) + rounding;
        let came = retry_after(answer);
        assert!(earliest <= came && came <= latest.min(WINDOW), "{came:?} is not within {earliest:?} and {latest:?}");
    }
    served.stop();
}

#[test]
fn a_refused_key_stays_refused_after_a_restart_or_crash() {
    let state = state();
    let mut served = Served::start(state.path(), &[]);
    let key = Firm::open(&served.http).expect("a firm").key;
    let ends: [fn(ServedWorker); 2] =
        [|worker| assert!(worker.stop().expect("it ends").success()), |worker| worker.kill().expect("it ends")];
    for end in ends {
        let request = Request::new("GET", "/api/v1/me").bearer(&key);
        let refused = |served: &Served| {
            let answer = send(&served.http, &request).expect("an answer");
            (answer.status == 429).then(|| retry_after(&answer))
        };
        let before = (0..=LIMIT).find_map(|_| refused(&served)).expect("the limit is used up");
        let used_up_at = Instant::now();
        end(served.worker);
        served = Served::start(state.path(), &[]);
        let after = refused(&served).expect("the key stays refused");
        assert!(after <= before, "the wait is no longer than before: {before:?}, {after:?}");
        let slack = Duration::from_secs(2);
        assert!(after + used_up_at.elapsed() + slack >= before, "nor was it cut short: {before:?}, {after:?}");
    }
    let another = Firm::open(&served.http).expect("a firm");
    another.get("/me").and_then(Answer::ok).expect("another key is let through");
}

#[test]
fn only_live_keys_have_an_object() {
    let state = state();
    let served = Served::start(state.path(), &[]);
    let firm = Firm::open(&served.http).expect("a firm");
    let (revoked_id, revoked) = firm.new_key().expect("a key");
    firm.operator().call("DELETE", &format!("/keys/{revoked_id}")).and_then(Answer::ok).expect("it is revoked");
    let prefix = &served.http.facts().key_prefix;
    let unknown = format!("{prefix}{}", "A".repeat(43));
    for key in [unknown.as_str(), revoked.as_str(), "mtb_too-short", "no key"] {
        for method in ["GET", "POST"] {
            let request = Request::new(method, "/api/v1/clients").bearer(key).json(&json!({"clients": []}));
            send(&served.http, &request).expect("an answer").expect_status(401).expect("no such key");
        }
    }
    send(&served.http, &Request::new("GET", "/api/v1/me")).expect("an answer").expect_status(401).expect("no key");
    // The log line has what the database did: the isolate has found the revoked key dead above.
    let mut mistyped = firm.key.clone();
    mistyped.replace_range(20..21, if &firm.key[20..21] == "A" { "B" } else { "A" });
    for (key, round_trips) in [(&mistyped, 0), (&unknown, 0), (&revoked, 0)] {
        let answer = send(&served.http, &Request::new("GET", "/api/v1/clients").bearer(key)).expect("an answer");
        assert_eq!((answer.status, &served.line_of(&answer)["round_trips"]), (401, &json!(round_trips)));
    }
    assert_eq!(served.objects(), 0, "no object was made for a key that is not live");
    firm.get("/me").and_then(Answer::ok).expect("an answer");
    firm.get("/nothing").expect("an answer");
    assert_eq!(served.objects(), 1, "one object a key");
    firm.create(&json!({"last_name": "Ray"})).expect("a client");
    let (_, second) = firm.new_key().expect("a key");
    let request = Request::new("GET", "/api/v1/me").bearer(&second);
    send(&served.http, &request).and_then(Answer::ok).expect("an answer");
    assert_eq!(served.objects(), 2, "another key has another");
}

#[test]
fn a_limit_of_zero_uses_no_object() {
    let state = state();
    let served = Served::start(state.path(), &[("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0")]);
    let firm = Firm::open(&served.http).expect("a firm");
    firm.get("/me").and_then(Answer::ok).expect("an answer");
    firm.create(&json!({"last_name": "Ray"})).expect("a client");
    assert_eq!(served.objects(), 0);
}
