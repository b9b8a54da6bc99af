//! Failures of the Worker: its module traps, the rate limit's object cannot be reached, a batch to D1 or
//! its response is lost. The tests run on the build with test hooks, where headers inject faults. They run
//! one after another, because a trap affects every request.

mod traps;

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    thread,
    time::Duration,
};

use matterbook_conformance::wire::{Answer, Firm, RecordingService, Request, send};
use serde_json::{Value, json};

use crate::support::{self, Served, Test};

macro_rules! tests {
    ($($test:path),* $(,)?) => { &[$((stringify!($test), $test as fn(&Served))),*] };
}

/// What holds in both profiles.
const TESTS: &[Test] = tests![
    traps::a_trap_gives_the_same_500_as_a_panic,
    traps::a_trap_gives_every_request_in_progress_a_500,
    traps::a_trap_at_a_commit_saves_all_or_nothing,
    traps::a_trap_in_the_rate_limits_object_gives_the_same_500,
    traps::a_trap_of_the_passkeys_module_gives_its_own_request_a_500,
    traps::the_rate_limit_survives_a_trap,
    a_failed_rate_limit_gives_a_500_and_saves_nothing,
    a_lost_answer_of_the_rate_limit_is_asked_for_again,
    a_key_revoked_during_the_body_saves_nothing,
    the_log_line_of_a_failure_contains_no_value,
];

/// What may be lost between the Worker and D1. An object calls its database, and nothing comes between two batches.
const TESTS_OF_D1: &[Test] = tests![
    a_lost_read_is_repeated,
    a_lost_batch_is_retried,
    a_lost_response_is_recognised_as_committed,
    a_key_revoked_before_the_commit_saves_nothing,
];

/// What may fail between an object and the directory.
const TESTS_OF_OBJECTS: &[Test] = tests![a_change_that_the_directory_refuses_is_a_500_holds_and_follows];

#[test]
fn every_failure_is_answered_and_saves_all_or_nothing() {
    run("d1", &[TESTS, TESTS_OF_D1].concat());
}

#[test]
fn every_failure_is_answered_and_saves_all_or_nothing_with_an_object_for_each_account() {
    run("objects", &[TESTS, TESTS_OF_OBJECTS].concat());
}

fn run(profile: &str, tests: &[Test]) {
    let state = support::state();
    let settings = [
        ("MATTERBOOK_PROFILE", profile),
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0"),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "10000"),
    ];
    support::run(Served::start(state.path(), &settings), tests);
}

/// The request with a fault.
fn with_fault(request: Request, fault: &str) -> Request {
    request.header("matterbook-test-fault", fault)
}

/// A client with this external id and a unique name.
fn client(external_id: &str) -> Value {
    json!({"external_id": external_id, "first_name": "Ada", "last_name": external_id})
}

fn clients_of(served: &Served, prefix: &str) -> i64 {
    served.count_of_accounts(&format!("select count(*) from clients where external_id like '{prefix}%'"))
}

fn commits_of(served: &Served, firm: &Firm<'_>) -> i64 {
    let account = firm.account.replace('-', "");
    let sql = "select count(*) from commits join accounts on accounts.id = account_id where hex(public_id) = upper";
    served.count_of_accounts(&format!("{sql}('{account}')"))
}

fn a_failed_rate_limit_gives_a_500_and_saves_nothing(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    let request = firm.request("POST", "/clients").json(&json!({"clients": [client("rate-limiter-1")]}));
    let answer = send(&served.http, &with_fault(request, "rate-limiter")).expect("an answer");
    answer.expect_error(500, "internal").expect("a failure of ours");
    answer.expect_words("/error/message", &["nothing was saved"]).expect("what the caller needs to know");
    assert!(!String::from_utf8_lossy(&answer.body).contains("broken by a test"), "the cause is for the log");
    let cause = served.line_of(&answer)["cause"].as_str().expect("a cause").to_owned();
    assert!(cause.contains("broken by a test"), "{cause}");
    assert_eq!(clients_of(served, "rate-limiter-"), 0);
    firm.create(&client("rate-limiter-1")).expect("the next request is served");
}

/// Posts a new client while something is lost. It is created once, by one commit.
fn posted_while_lost(served: &Served, fault: &str) -> Value {
    let firm = Firm::open(&served.http).expect("a firm");
    firm.get("/me").expect("the key is known");
    // Only a name, so that a retry under another id would not find the client.
    let person = json!({"first_name": "Ada", "last_name": fault});
    let request = firm.request("POST", "/clients").json(&json!({ "clients": [person] }));
    let answer = send(&served.http, &with_fault(request, fault)).and_then(Answer::ok).expect("a success");
    answer.expect("/results/0/status", "created").expect("the client is created");
    let id = answer.text("/results/0/id").expect("an id");
    assert_eq!(firm.show(&id).expect("the client")["last_name"], *fault);
    assert_eq!(served.count(&format!("select count(*) from clients where last_name = '{fault}'")), 1);
    assert_eq!(commits_of(served, &firm), 1);
    served.line_of(&answer)
}

/// How many requests are left in the window of an answer's key.
fn left(answer: &Answer) -> u32 {
    let field = answer.header("ratelimit").and_then(|field| field.split("r=").nth(1)?.split(';').next()?.parse().ok());
    field.unwrap_or_else(|| panic!("{}", answer.failure("what is left")))
}

fn a_lost_answer_of_the_rate_limit_is_asked_for_again(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    let before = left(&firm.get("/me").expect("an answer"));
    let answer = send(&served.http, &with_fault(firm.request("GET", "/me"), "lost-rate-limit")).expect("an answer");
    answer.expect_status(200).expect("it is served");
    assert_eq!(left(&answer), before - 2, "what was counted and lost counts as well");
}

fn a_lost_read_is_repeated(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    firm.create(&client("read-1")).expect("a client");
    let post = Request::new("POST", "/api/v1/clients").json(&json!({"clients": [client("read-2")]}));
    for request in [Request::new("GET", "/api/v1/me"), Request::new("GET", "/api/v1/clients"), post] {
        // A new key is looked up on its own. One that was used is looked up with the data.
        let (_, key) = firm.new_key().expect("a key");
        for _ in 0..2 {
            let request = with_fault(request.clone().bearer(&key), "lost-read");
            send(&served.http, &request).expect("an answer").expect_status(200).expect("it is served");
        }
    }
    assert_eq!(clients_of(served, "read-"), 2);
}

fn a_lost_batch_is_retried(served: &Served) {
    let line = posted_while_lost(served, "lost-batch");
    // A lookup, the lost batch (not counted), a second lookup, the commit.
    assert_eq!((&line["status"], &line["round_trips"]), (&json!(200), &json!(3)));
}

fn a_lost_response_is_recognised_as_committed(served: &Served) {
    let line = posted_while_lost(served, "lost-answer");
    // A lookup, the commit, a second lookup that finds the commit.
    assert_eq!((&line["status"], &line["round_trips"]), (&json!(200), &json!(3)));
}

fn revoke(firm: &Firm<'_>) {
    firm.operator().call("DELETE", &format!("/keys/{}", firm.key_id)).and_then(Answer::ok).expect("revoked");
}

/// The key is revoked after the post's lookup and before its commit.
fn a_key_revoked_before_the_commit_saves_nothing(served: &Served) {
    for is_seen in [false, true] {
        let firm = Firm::open(&served.http).expect("a firm");
        if is_seen {
            firm.get("/me").and_then(Answer::ok).expect("a live key");
        }
        let name = format!("overtaken-{is_seen}");
        let request = firm.request("POST", "/clients").json(&json!({"clients": [client(&name)]}));
        let answer = thread::scope(|scope| {
            let post = scope.spawn(|| send(&served.http, &with_fault(request, "slow-commit")).expect("an answer"));
            thread::sleep(Duration::from_millis(1_000));
            revoke(&firm);
            assert!(!post.is_finished(), "the post is in progress when the key is revoked");
            post.join().expect("an answer")
        });
        answer.expect_error(401, "unauthorized").expect("a refusal");
        answer.expect_no_header("ratelimit").expect("nothing of the limit");
        assert_eq!((clients_of(served, &name), commits_of(served, &firm)), (0, 0));
        let line = served.line_of(&answer);
        assert_eq!((&line["status"], &line["account"]), (&json!(401), &Value::Null));
        // The lookup had passed, so the commit itself refused.
        assert!(line["round_trips"].as_u64() >= Some(2), "{line}");
    }
}

/// The second half of the body is sent after the revocation.
fn a_key_revoked_during_the_body_saves_nothing(served: &Served) {
    for is_seen in [false, true] {
        let firm = Firm::open(&served.http).expect("a firm");
        if is_seen {
            firm.get("/me").and_then(Answer::ok).expect("a live key");
        }
        let name = format!("slow-body-{is_seen}");
        let body = json!({"clients": [client(&name)]}).to_string();
        let (sooner, later) = body.split_at(body.len() / 2);
        let address = served.worker.url.strip_prefix("http://").expect("a URL");
        let mut stream = TcpStream::connect(address).expect("a connection");
        let head = format!(
            "POST /api/v1/clients HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{sooner}",
            firm.key,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("the request is begun");
        thread::sleep(Duration::from_millis(500));
        revoke(&firm);
        stream.write_all(later.as_bytes()).expect("the request is ended");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("a whole answer");
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        assert_eq!((clients_of(served, &name), commits_of(served, &firm)), (0, 0));
    }
}

/// Rule W21. The object has the change, which the directory gets once it takes it.
fn a_change_that_the_directory_refuses_is_a_500_holds_and_follows(served: &Served) {
    let firm = Firm::open(&served.http).expect("a firm");
    let operator = firm.operator();
    let change = |sql: &str| served.changeable_database().execute_batch(sql).expect("the directory is changed");
    change("create trigger refusing before insert on logins begin select raise(abort, 'refused by a test'); end");
    let logins = format!("/accounts/{}/logins", firm.account);
    let refused = operator.call_with("POST", &logins, &json!({"email": "late@firm.example", "role": "teammate"}));
    refused.expect("an answer").expect_error(500, "internal").expect("the directory did not take it");
    let listed = || operator.call("GET", &logins).and_then(Answer::ok).expect("a list").json["logins"].clone();
    let login = listed().as_array().and_then(|logins| logins.last()).map(|login| login["id"].clone()).expect("a login");
    let role = || {
        let path = format!("/logins/{}", login.as_str().expect("an id"));
        operator.call_with("PATCH", &path, &json!({"role": "owner"})).expect("an answer").status
    };
    assert_eq!(role(), 404, "the directory does not know it");
    firm.create(&client("while-it-refuses")).expect("what does not concern the directory is saved");
    change("drop trigger refusing");
    // The object's alarm copies it within half a minute.
    assert_eq!(support::soon("login in the directory", || Some(role()).filter(|status| *status == 200)), 200);
    assert_eq!(listed().as_array().map(Vec::len), Some(2), "{}", listed());
}

/// The log has the cause of each failure and no value of the request.
fn the_log_line_of_a_failure_contains_no_value(served: &Served) {
    let recorded = RecordingService::new(&served.http);
    let firm = Firm::open(&recorded).expect("a firm");
    let person = json!({"external_id": "Zephyrine-1", "first_name": "Zephyrine", "last_name": "Quixotrix",
        "address_line1": "12 Xanadu Plaza", "zip": "62704", "email": "zephyrine@quixotrix.example"});
    let before = served.worker.log().len();
    for fault in [
        "trap",
        "trap-in-rate-limiter",
        "trap-before-commit",
        "trap-after-commit",
        "rate-limiter",
        "lost-batch",
        "lost-answer",
    ] {
        let request = firm.request("POST", "/clients?external_id=Zephyrine").header("Idempotency-Key", "Zephyrine-2");
        let request = request.json(&json!({"clients": [person]}));
        let answer = send(&recorded, &with_fault(request, fault)).expect("an answer");
        served.line_of(&answer);
    }
    let log = served.worker.log();
    assert!(log.len() >= before + 7, "a line a request");
    let mut log: Vec<String> = log.get(before..).expect("later lines").to_vec();
    // This text comes from the test hooks, not from the request.
    log.retain(|line| !line.contains("broken by a test"));
    assert_eq!(recorded.leaks(&log), Vec::<String>::new());
}
