//! The log: one line a request, and nothing in it of a client, a prospect or a key (design
//! section 10).

mod support;

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::Value;
use support::{Place, Serving, account, batch};

#[test]
fn a_request_is_one_line_and_names_nobody() {
    let place = Place::new();
    let (account, key) = account(&place.database());
    let mut serving = Serving::start_logged(&place.database(), &["--log", "json"]);
    serving.post(&key, "/api/v1/clients", &batch(["Secretname".to_owned()]));
    serving.get(&key, "/api/v1/clients?external_id=Secretname");
    serving.get(&key, "/api/v1/Secretname");
    serving.get("mtb_Secretname", "/api/v1/me");
    let malformed_answer = send_raw(&serving.origin, "Secretname\r\n\r\n");
    serving.signal("TERM");
    let mut log = String::new();
    serving.process.stderr.take().expect("a pipe").read_to_string(&mut log).expect("text");

    assert!(!log.contains("Secretname") && !log.contains(&key), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let requests: Vec<(&str, &str, u64, bool)> = lines
        .iter()
        .filter(|line| line["message"] == "request")
        .map(|line| {
            assert!(line["request_id"].is_string() && line["duration_ms"].is_number(), "{line}");
            let text = |name: &str| line[name].as_str().unwrap_or_default();
            (text("method"), text("route"), line["status"].as_u64().unwrap_or_default(), line["account"] == account)
        })
        .collect();
    let [posted, listed, unknown, stranger, malformed] = requests.as_slice() else { panic!("five requests: {log}") };
    assert_eq!(posted, &("POST", "/api/v1/clients", 200, true));
    assert_eq!(listed, &("GET", "/api/v1/clients", 200, true));
    assert_eq!((unknown.0, unknown.2, unknown.3), ("GET", 404, true));
    assert_eq!((stranger.0, stranger.2, stranger.3), ("GET", 401, false));
    assert_eq!((malformed.0, malformed.2, malformed.3), ("", 400, false));
    let last = lines.iter().rfind(|line| line["message"] == "request").expect("five requests");
    let id = last["request_id"].as_str().expect("a request id");
    assert!(malformed_answer.contains(&format!("x-request-id: {id}")), "{malformed_answer}");
}

/// Sends bytes that need not be HTTP, and hands back all that comes.
fn send_raw(origin: &str, bytes: &str) -> String {
    let mut stream = TcpStream::connect(origin.strip_prefix("http://").expect("an origin")).expect("a connection");
    stream.write_all(bytes.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    answer
}
