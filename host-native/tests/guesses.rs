//! Guesses of keys and of the operator token: how many are answered, what the log says, and at which address
//! the operator API is (rules A12, A13, D6, L12 and L15).

use std::io::{BufRead as _, BufReader};

use crate::support::{OPERATOR_TOKEN, Place, Serving, account};
use matterbook::{Service, http::Limits, settings::NativeSettings};
use tokio::runtime::Runtime;

const WRONG: &str = "the-operator-token-of-somebody-else";

/// A service with these settings and few failures allowed: 5 of an address, 8 of all.
fn start(place: &Place, settings: &[(&str, &str)]) -> (Runtime, Service) {
    let database = place.database().display().to_string();
    let usual = [
        ("MATTERBOOK_DB", database.as_str()),
        ("MATTERBOOK_LISTEN", "127.0.0.1:0"),
        ("MATTERBOOK_OPERATOR_TOKEN", OPERATOR_TOKEN),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "0"),
    ];
    let value = |name: &str| usual.iter().chain(settings).find(|(known, _)| *known == name).map(|(_, value)| *value);
    let settings = NativeSettings::read(|name| value(name).map(str::to_owned)).expect("settings");
    let runtime = Runtime::new().expect("a runtime");
    let limits = Limits { failures_of_address: 5, failures: 8, ..Limits::default() };
    let service = runtime.block_on(Service::start(&settings, limits)).expect("a service");
    (runtime, service)
}

/// The status of `GET` with a token, from an address that a proxy names.
fn get(origin: &str, path: &str, token: &str, from: &str) -> u16 {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let request = agent.get(format!("{origin}{path}")).header("authorization", format!("Bearer {token}"));
    let answer = request.header("x-forwarded-for", from).call().expect("an answer");
    let status = answer.status().as_u16();
    assert_eq!(answer.headers().contains_key("retry-after"), status == 429);
    status
}

#[test]
fn guesses_of_the_operator_token_are_refused_after_a_few() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (_runtime, service) = start(&place, &[]);
    let origin = format!("http://{}", service.address());
    let guesses: Vec<u16> = (0..7).map(|_| get(&origin, "/operator/v1/accounts", WRONG, "")).collect();
    assert_eq!(guesses, [401, 401, 401, 401, 401, 429, 429]);
    assert_eq!(get(&origin, "/operator/v1/accounts", OPERATOR_TOKEN, ""), 429, "before the token is compared");
    assert_eq!(get(&origin, "/api/v1/me", &key, ""), 200, "a firm at the same address is served");
}

#[test]
fn wrong_keys_never_keep_out_a_key_or_an_operator_at_the_same_address() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (_runtime, service) = start(&place, &[]);
    let origin = format!("http://{}", service.address());
    let statuses: Vec<u16> = (0..7).map(|_| get(&origin, "/api/v1/me", WRONG, "")).collect();
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assert_eq!(get(&origin, "/api/v1/me", &key, ""), 200);
    assert_eq!(get(&origin, "/operator/v1/accounts", OPERATOR_TOKEN, ""), 200);
}

#[test]
fn behind_a_proxy_each_address_has_its_own_guesses_up_to_those_of_all() {
    let place = Place::new();
    let (_runtime, service) = start(&place, &[("MATTERBOOK_BEHIND_PROXY", "true")]);
    let origin = format!("http://{}", service.address());
    let guess = |from: &str| get(&origin, "/operator/v1/accounts", WRONG, from);
    let of_one: Vec<u16> = (0..6).map(|_| guess("192.0.2.1")).collect();
    assert_eq!(of_one, [401, 401, 401, 401, 401, 429]);
    let of_another: Vec<u16> = (0..4).map(|_| guess("192.0.2.9, 192.0.2.2")).collect();
    assert_eq!(of_another, [401, 401, 401, 429], "eight of all together");
    assert_eq!(get(&origin, "/operator/v1/accounts", OPERATOR_TOKEN, "192.0.2.3"), 200, "no guess came from there");
}

#[test]
fn without_the_setting_a_caller_cannot_name_its_own_address() {
    let place = Place::new();
    let (_runtime, service) = start(&place, &[]);
    let origin = format!("http://{}", service.address());
    let guess = |last: u8| get(&origin, "/operator/v1/accounts", WRONG, &format!("192.0.2.{last}"));
    assert_eq!((1..=6).map(guess).collect::<Vec<u16>>(), [401, 401, 401, 401, 401, 429]);
}

#[test]
fn the_operator_api_is_at_its_own_address_only() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (_runtime, service) = start(&place, &[("MATTERBOOK_OPERATOR_LISTEN", "127.0.0.1:0")]);
    let public = format!("http://{}", service.address());
    let operator = format!("http://{}", service.operator_address().expect("an address"));
    for path in ["/operator/v1/accounts", "/operator/v1/settings", "/operator/v1"] {
        assert_eq!(get(&public, path, OPERATOR_TOKEN, ""), 404, "{path}");
    }
    assert_eq!(get(&public, "/api/v1/me", &key, ""), 200);
    assert_eq!(get(&operator, "/operator/v1/accounts", OPERATOR_TOKEN, ""), 200);
    assert_eq!(get(&operator, "/operator/v1/accounts", WRONG, ""), 401);
    assert_eq!(get(&operator, "/api/v1/me", &key, ""), 404);
    assert_eq!(get(&operator, "/healthz", "", ""), 200);
}

/// The program's own limit is 2,000 in a minute.
#[test]
fn a_flood_of_guesses_is_one_line_a_second_in_the_log() {
    const GUESSES: usize = 3_000;
    let place = Place::new();
    let mut serving = Serving::start_logged(&place.database(), &["--operator-token", OPERATOR_TOKEN, "--log", "json"]);
    let log = BufReader::new(serving.process.stderr.take().expect("a pipe"));
    let reading = std::thread::spawn(move || log.lines().map(|line| line.expect("a line")).collect::<Vec<_>>());
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    for _ in 0..GUESSES {
        let url = format!("{}/operator/v1/accounts", serving.origin);
        let answer = agent.get(url).header("authorization", format!("Bearer {WRONG}")).call();
        let _ = answer.expect("an answer").body_mut().read_to_vec();
    }
    serving.signal("TERM");
    serving.process.wait().expect("an end");
    let lines = reading.join().expect("a log");
    assert!(lines.len() < 2_100, "{} lines", lines.len());
    let refused: usize = lines
        .iter()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["count"].as_u64())
        .map(|count| usize::try_from(count).expect("a few"))
        .sum();
    assert_eq!(refused, GUESSES - 2_000);
    assert!(!lines.iter().any(|line| line.contains(WRONG)));
}
