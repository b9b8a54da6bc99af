//! The memory that bodies may take in one isolate (rule W18).

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use matterbook_conformance::wire::{Firm, ServedWorker, WorkerOptions, send};
use serde_json::{Value, json};

use crate::support::{Served, soon, state};

const BODY_LIMIT_BYTES: usize = 200_000;
const BUDGET_BYTES: usize = 300_000;

/// A post of one client whose body has about this length.
fn post(firm: &Firm<'_>, external_id: &str, length_bytes: usize) -> matterbook_conformance::wire::Request {
    let client = json!({"external_id": external_id, "last_name": "Ray", "padding": "x".repeat(length_bytes)});
    firm.request("POST", "/clients").json(&json!({"clients": [client]}))
}

/// Begins to send a body of the largest length, and sends no more of it.
fn stall(served: &Served, firm: &Firm<'_>) -> TcpStream {
    let address = served.worker.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = format!(
        "POST /api/v1/clients HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {BODY_LIMIT_BYTES}\r\n\r\n{{",
        firm.key
    );
    stream.write_all(head.as_bytes()).expect("a head is sent");
    stream
}

#[test]
fn bodies_past_the_budget_are_refused_before_any_work() {
    are_refused_before_any_work("d1");
}

#[test]
fn bodies_past_the_budget_are_refused_before_any_work_with_an_object_for_each_account() {
    are_refused_before_any_work("objects");
}

fn are_refused_before_any_work(profile: &str) {
    let state = state();
    let [limit, budget] = [BODY_LIMIT_BYTES, BUDGET_BYTES].map(|bytes| bytes.to_string());
    let settings = [
        ("MATTERBOOK_PROFILE", profile),
        ("MATTERBOOK_BODY_LIMIT_BYTES", &*limit),
        ("MATTERBOOK_BODY_BUDGET_BYTES", &*budget),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"),
    ];
    let served = Served::start(state.path(), &settings);
    let firm = Firm::open(&served.http).expect("a firm");
    let answer = send(&served.http, &post(&firm, "alone", 150_000)).expect("an answer");
    answer.expect_status(200).expect("one body fits");

    let mut stalled = stall(&served, &firm);
    let refused = soon("refusal", || {
        let answer = send(&served.http, &post(&firm, "refused", 150_000)).expect("an answer");
        (answer.status != 200).then_some(answer)
    });
    refused.expect_error(500, "internal").expect("an overloaded service");
    refused.expect_header("retry-after", "5").expect("when to come back");
    assert!(String::from_utf8_lossy(&refused.body).contains("busy and nothing was saved"));
    let line = served.line_of(&refused);
    assert_eq!(
        (&line["cause"], &line["round_trips"]),
        (&json!("the bodies under way exceed the isolate's budget"), &Value::Null)
    );
    let small = send(&served.http, &post(&firm, "small", 10_000)).expect("an answer");
    small.expect_status(200).expect("a small body always fits");
    firm.get("/clients").expect("an answer").expect_status(200).expect("what has no body is served");

    // The rest arrives, and the next body has room again.
    stalled.write_all(&vec![b' '; BODY_LIMIT_BYTES - 1]).expect("the rest is sent");
    let mut answered = [0; 12];
    stalled.read_exact(&mut answered).expect("an answer");
    assert_eq!(&answered, b"HTTP/1.1 400");
    send(&served.http, &post(&firm, "later", 150_000)).expect("an answer").expect_status(200).expect("it fits again");
}

#[test]
fn a_body_budget_of_no_number_is_said_in_the_log() {
    let state = state();
    let settings = [("MATTERBOOK_BODY_BUDGET_BYTES", "much".to_owned())];
    let settings =
        [("MATTERBOOK_OPERATOR_TOKEN", crate::support::OPERATOR_TOKEN.to_owned())].into_iter().chain(settings);
    let options = WorkerOptions { state: state.path().to_owned(), settings: settings.collect() };
    let problem = ServedWorker::start(&options).err().expect("it does not serve");
    assert!(problem.contains("MATTERBOOK_BODY_BUDGET_BYTES must be a whole number of bytes."), "{problem}");
}
