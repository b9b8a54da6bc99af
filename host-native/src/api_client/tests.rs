//! Tests a caller against prepared responses and against the real rules, on a simulated clock, so no test
//! waits.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
};

use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
    time::Timestamp,
};
use serde_json::{Value, json};

use super::*;

const BASE: &str = "https://matterbook.example.com/api/v1";
const PATIENCE: Duration = Duration::from_secs(600);

/// A clock that advances only by sleeps.
struct MovedClock {
    began: Instant,
    waited: Cell<Duration>,
    waits: RefCell<Vec<u64>>,
    platform: ManualPlatform,
}

impl MovedClock {
    fn new() -> Self {
        let platform = ManualPlatform::new(Timestamp::from_micros(1_700_000_000_000_000));
        Self { began: Instant::now(), waited: Cell::default(), waits: RefCell::default(), platform }
    }
}

impl Clock for MovedClock {
    fn now(&self) -> Instant {
        self.began + self.waited.get()
    }

    fn sleep(&self, duration: Duration) {
        self.waited.set(self.waited.get() + duration);
        self.waits.borrow_mut().push(duration.as_secs());
        self.platform.advance(duration);
    }

    /// Always the longest pause.
    fn chance(&self) -> f64 {
        1.0
    }
}

/// A service with prepared responses.
#[derive(Default)]
struct Script {
    answers: RefCell<VecDeque<Result<Answer, NoAnswer>>>,
    asked: RefCell<Vec<Asked>>,
}

/// A request's path, idempotency key and body.
type Asked = (String, Option<String>, Option<String>);

impl Transport for Script {
    fn exchange(&self, request: &Request<'_>) -> Result<Answer, NoAnswer> {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let asked = (request.path.to_owned(), owned(request.idempotency_key), owned(request.body));
        self.asked.borrow_mut().push(asked);
        self.answers.borrow_mut().pop_front().expect("an answer is laid down")
    }
}

fn answer(status: u16, fields: &[(&'static str, &str)], body: &str) -> Result<Answer, NoAnswer> {
    let mut headers = http::HeaderMap::new();
    for (name, value) in fields {
        headers.insert(*name, value.parse().unwrap());
    }
    Ok(Answer { status, headers, body: body.as_bytes().to_vec() })
}

fn ok() -> Result<Answer, NoAnswer> {
    answer(200, &[], "{}")
}

fn failed(status: u16, fields: &[(&'static str, &str)]) -> Result<Answer, NoAnswer> {
    answer(status, fields, r#"{"error":{"code":"internal","message":"It failed."}}"#)
}

fn unreachable() -> Result<Answer, NoAnswer> {
    Err(NoAnswer::Unreachable("the connection was refused".to_owned()))
}

/// Checks a POST that gets these responses after a first successful request: its result as text, and the
/// pauses in seconds.
fn check(answers: Vec<Result<Answer, NoAnswer>>, expected: Result<u16, &str>, waits: &[u64]) {
    let count = answers.len();
    let script = Script { answers: RefCell::new([vec![ok()], answers].concat().into()), ..Script::default() };
    let clock = MovedClock::new();
    let told = RefCell::new(Vec::new());
    let watcher = |wait: &Wait| told.borrow_mut().push(wait.pause.as_secs());
    let mut api = ApiClient::new(BASE, &script, &clock, &watcher, PATIENCE);
    api.get("/me").unwrap();
    let outcome = api.post("/clients", "body", "key");
    assert_eq!(outcome.map(|answer| answer.status).map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    assert_eq!(*clock.waits.borrow(), waits);
    assert_eq!(*told.borrow(), waits, "every pause is told");
    let asked = script.asked.borrow();
    let post = ("/clients".to_owned(), Some("key".to_owned()), Some("body".to_owned()));
    assert_eq!(asked[1..], vec![post; count], "the same request each time, and no further one");
}

#[test]
fn a_lost_answer_or_a_failure_is_asked_for_again_with_the_same_key_after_growing_pauses() {
    check(vec![unreachable(), ok()], Ok(200), &[1]);
    check(vec![failed(500, &[]), failed(503, &[]), unreachable(), ok()], Ok(200), &[1, 2, 4]);
    check(vec![answer(502, &[("content-type", "text/html")], "<html>"), ok()], Ok(200), &[1]);
    check(vec![failed(408, &[]), ok()], Ok(200), &[1]);
}

#[test]
fn it_waits_as_long_as_the_service_says() {
    check(vec![failed(429, &[("retry-after", "37")]), ok()], Ok(200), &[37]);
    check(vec![failed(500, &[("retry-after", "2")]), failed(500, &[("retry-after", "3")]), ok()], Ok(200), &[2, 3]);
    // A date would need two synchronized clocks.
    check(vec![failed(429, &[("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT")]), ok()], Ok(200), &[1]);
}

#[test]
fn it_gives_up_when_its_patience_is_at_an_end() {
    let mut answers = vec![failed(500, &[("x-request-id", "r-1")]); 15];
    let waits = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60, 60];
    let sentence = "The service answers 500: It failed. (request r-1) The command gave up after 9 min.";
    check(std::mem::take(&mut answers), Err(sentence), &waits);
    let sentence =
        "The service answers 429: It failed. It asks to wait 24 h, which is longer than --retry-seconds allows.";
    check(vec![failed(429, &[("retry-after", "86400")])], Err(sentence), &[]);
}

#[test]
fn what_is_wrong_with_the_request_is_not_asked_again() {
    for status in [400, 401, 403, 404, 409, 413, 415, 422] {
        let script = Script { answers: RefCell::new([failed(status, &[])].into()), ..Script::default() };
        let clock = MovedClock::new();
        let mut api = ApiClient::new(BASE, &script, &clock, &|_| {}, PATIENCE);
        let error = api.get("/clients").unwrap_err();
        assert!(error.to_string().starts_with(&format!("The service answers {status}: It failed.")), "{error}");
        assert!(clock.waits.borrow().is_empty());
    }
    check(
        vec![Err(NoAnswer::Insecure("invalid peer certificate: Expired".to_owned()))],
        Err(
            "No secure connection to https://matterbook.example.com/api/v1 can be made: invalid peer certificate: Expired. \
         Check the address, and the certificate there. --ca-file names an authority of your own.",
        ),
        &[],
    );
}

#[test]
fn who_was_never_reached_is_not_waited_for() {
    let script = Script { answers: RefCell::new([unreachable()].into()), ..Script::default() };
    let clock = MovedClock::new();
    let mut api = ApiClient::new(BASE, &script, &clock, &|_| {}, PATIENCE);
    let sentence = format!("{BASE} cannot be reached: the connection was refused.");
    assert_eq!(api.account().unwrap_err().to_string(), sentence);
    assert!(clock.waits.borrow().is_empty());
}

#[test]
fn an_answer_of_something_else_is_told_from_matterbooks() {
    let html = &[("content-type", "text/html; charset=utf-8")];
    let cases = [
        (
            answer(404, html, "<html>"),
            "https://matterbook.example.com/api/v1 answers 404 with text/html, which is not an answer of Matterbook. \
             Check --url.",
        ),
        (
            answer(200, html, "<html>"),
            "https://matterbook.example.com/api/v1 answers 200 with text/html, which is not an answer of Matterbook. \
             Check --url.",
        ),
        (
            answer(308, &[("location", "https://other.example.com/api/v1/me")], ""),
            "https://matterbook.example.com/api/v1 redirects to https://other.example.com/api/v1/me: use that \
             address as --url, without what follows /api/v1.",
        ),
        (answer(413, html, "<html>"), "A proxy in front of the service takes no body of this size (413)."),
        (
            answer(401, &[("x-request-id", "r-1")], r#"{"error":{"code":"unauthorized","message":"No."}}"#),
            "The service answers 401: No. Check --key or MATTERBOOK_KEY. (request r-1)",
        ),
    ];
    for (answer, expected) in cases {
        let script = Script { answers: RefCell::new([answer].into()), ..Script::default() };
        let clock = MovedClock::new();
        let mut api = ApiClient::new(BASE, &script, &clock, &|_| {}, PATIENCE);
        assert_eq!(api.account().unwrap_err().to_string(), expected);
    }
}

/// The real rules, in memory.
struct Rules {
    api: Api<MemoryStore, MemoryRateLimiter, ManualPlatform>,
    runtime: tokio::runtime::Runtime,
    key: RefCell<String>,
    refused: Cell<u32>,
    admitted: Cell<u32>,
}

impl Rules {
    fn new(clock: &MovedClock, limit: u32) -> Self {
        let settings = Settings {
            operator_token: Some("operator".to_owned()),
            rate_limit_per_minute: limit,
            ..Settings::default()
        };
        let api = Api::new(
            MemoryStore::default(),
            MemoryRateLimiter::default(),
            clock.platform.clone(),
            settings,
            test_key_secrets(),
        );
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let rules = Self {
            api,
            runtime,
            key: RefCell::new("operator".to_owned()),
            refused: Cell::new(0),
            admitted: Cell::new(0),
        };
        let account = rules.operator("/accounts", json!({"email": "owner@example.com", "api_enabled": true}));
        let account = account["account"]["id"].as_str().unwrap().to_owned();
        let key = rules.operator(&format!("/accounts/{account}/keys"), json!({}));
        *rules.key.borrow_mut() = key["key"]["key"].as_str().unwrap().to_owned();
        rules
    }

    fn operator(&self, path: &str, body: Value) -> Value {
        let answer = self.call(&Method::POST, &format!("/operator/v1{path}"), body.to_string());
        serde_json::from_slice(&answer.body).unwrap()
    }

    fn call(&self, method: &Method, path: &str, body: String) -> Answer {
        let (head, body) = http::Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {}", self.key.borrow()))
            .header("content-type", "application/json")
            .body(body.into_bytes())
            .unwrap()
            .into_parts();
        let response = self.runtime.block_on(self.api.handle(head, body)).response;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, body: response.into_body() }
    }
}

impl Transport for Rules {
    fn exchange(&self, request: &Request<'_>) -> Result<Answer, NoAnswer> {
        let body = request.body.unwrap_or_default().to_owned();
        let answer = self.call(request.method, &format!("/api/v1{}", request.path), body);
        let counter = if answer.status == 429 { &self.refused } else { &self.admitted };
        counter.set(counter.get() + 1);
        Ok(answer)
    }
}

/// Sends requests in sequence under a limit; checks how many minutes they take and that none is refused.
fn check_pace(limit: u32, requests: u32, minutes: std::ops::RangeInclusive<u64>) {
    let clock = MovedClock::new();
    let rules = Rules::new(&clock, limit);
    let mut api = ApiClient::new(BASE, &rules, &clock, &|_| {}, PATIENCE);
    for _ in 0..requests {
        api.account().unwrap();
    }
    assert_eq!((rules.refused.get(), rules.admitted.get()), (0, requests), "limit {limit}");
    let took = clock.waited.get().as_secs() / 60;
    assert!(minutes.contains(&took), "limit {limit}: {took} minutes");
}

#[test]
fn it_keeps_below_the_limit_and_is_never_refused() {
    check_pace(120, 100, 0..=0);
    check_pace(120, 1_000, 9..=10);
    check_pace(5, 50, 9..=10);
    check_pace(1, 10, 9..=9);
    check_pace(0, 1_000, 0..=0);
}

#[test]
fn others_who_use_the_key_find_room_while_it_is_at_work() {
    let clock = MovedClock::new();
    let rules = Rules::new(&clock, 120);
    let mut api = ApiClient::new(BASE, &rules, &clock, &|_| {}, PATIENCE);
    let mut others = 0;
    for number in 0..600 {
        api.account().unwrap();
        // The fewest requests are left just before the caller pauses.
        if !api.pace.pause(clock.now()).is_zero() {
            let other = rules.call(&Method::GET, "/api/v1/me", String::new());
            assert_eq!(other.status, 200, "after {number} requests");
            others += 1;
        }
    }
    assert!(others >= 5 && rules.refused.get() == 0, "{others}");
}

#[test]
fn where_others_take_every_place_it_waits_and_goes_on() {
    let clock = MovedClock::new();
    let rules = Rules::new(&clock, 10);
    let mut api = ApiClient::new(BASE, &rules, &clock, &|_| {}, PATIENCE);
    api.account().unwrap();
    while rules.call(&Method::GET, "/api/v1/me", String::new()).status == 200 {}
    api.account().unwrap();
    assert_eq!((rules.refused.get(), clock.waits.borrow().as_slice()), (1, [60].as_slice()));
}
