//! The log: one line a request, and nothing in it of a client, a prospect or a key (rules D5 and D6).

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::support::{Place, Serving, account, batch};
use serde_json::{Value, json};

const OPERATING: &str = include_str!("../../docs/operating.md");

/// The log of a session in which a batch is saved and another one fails, and the request ids that the caller
/// got, in that order.
fn session(format: &str) -> (String, [String; 2]) {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start_logged(&place.database(), &["--log", format]);
    let url = format!("{}/api/v1/clients", serving.origin);
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let post = |clients: Value| {
        let request = agent.post(&url).header("authorization", format!("Bearer {key}"));
        let answer = request.send(json!({"clients": clients}).to_string()).expect("an answer");
        (answer.status().as_u16(), answer.headers()["x-request-id"].to_str().expect("text").to_owned())
    };
    let known = json!({"external_id": "1", "last_name": "Sampleton"});
    let (saved, first) = post(json!([known, {"external_id": "2", "last_name": "Demowitz"}, known, {"zip": "1"}, {}]));
    let breaking = rusqlite::Connection::open(place.database()).expect("a connection");
    let fault = "create trigger broken before insert on clients begin select raise(abort, 'broken'); end";
    breaking.execute_batch(fault).expect("broken");
    let (failed, second) = post(json!([{"external_id": "3", "last_name": "Testerson"}]));
    assert_eq!((saved, failed), (200, 500));
    serving.signal("TERM");
    let mut log = String::new();
    serving.process.stderr.take().expect("a pipe").read_to_string(&mut log).expect("text");
    (log, [first, second])
}

#[test]
fn every_line_has_the_request_id_that_the_caller_got_and_a_failure_its_cause() {
    let (log, [saved, failed]) = session("json");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |id: &str| lines.iter().filter(|line| line["request_id"] == id).collect::<Vec<_>>();
    let [request] = of(&saved)[..] else { panic!("one line: {log}") };
    let outcomes = ["created", "updated", "conflicts", "errors"].map(|name| request[name].as_u64());
    assert_eq!(outcomes, [Some(2), Some(1), Some(0), Some(2)]);
    let [cause, request] = of(&failed)[..] else { panic!("two lines: {log}") };
    assert_eq!((&cause["level"], &cause["message"]), (&json!("ERROR"), &json!("request failed")));
    assert!(cause["cause"].as_str().is_some_and(|cause| cause.contains("broken")), "{cause}");
    assert_eq!((&request["status"], &request["created"]), (&json!(500), &Value::Null));

    let (log, [saved, failed]) = session("text");
    let of = |id: &str| log.lines().filter(|line| line.contains(&format!("request_id={id}"))).collect::<Vec<_>>();
    let [request] = of(&saved)[..] else { panic!("one line: {log}") };
    assert!(request.contains(" created=2 updated=1 conflicts=0 errors=2 "), "{request}");
    let [cause, request] = of(&failed)[..] else { panic!("two lines: {log}") };
    assert!(cause.contains("ERROR request failed") && cause.contains("broken"), "{cause}");
    assert!(request.contains(" status=500 "), "{request}");
}

#[test]
fn the_page_on_operating_names_every_field_and_shows_lines_as_they_are() {
    let (log, _) = session("json");
    let is_of_request = |line: &&str| line.contains("\"request");
    let fields = |line: &str| -> BTreeSet<String> {
        let line: Value = serde_json::from_str(line).expect("JSON");
        line.as_object().expect("an object").keys().cloned().collect()
    };
    let logged: BTreeSet<String> = log.lines().filter(is_of_request).flat_map(fields).collect();
    let (_, table) = OPERATING.split_once("| field | |\n").expect("the table of fields");
    let first_cells = table.lines().skip(1).take_while(|line| line.starts_with('|')).map(|row| row.split('|').nth(1));
    let documented: BTreeSet<String> = first_cells
        .flat_map(|cell| cell.expect("a cell").split(", ").map(|name| name.trim().trim_matches('`').to_owned()))
        .collect();
    assert_eq!(documented, logged);
    // The examples are lines of this program: each has the fields of one that was logged, in the same order.
    let order = |line: &str| {
        let names = line.split('"').skip(1).step_by(2).filter(|word| logged.contains(*word));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let known: Vec<_> = log.lines().filter(is_of_request).map(order).collect();
    let examples: Vec<_> = OPERATING.lines().filter(|line| line.starts_with("{\"timestamp")).collect();
    assert_eq!(examples.len(), 2);
    for example in examples {
        assert!(known.contains(&order(example)), "{example}\n{known:#?}");
    }
}

#[test]
fn a_request_is_one_log_line_without_personal_data() {
    let place = Place::new();
    let (account, key) = account(&place.database());
    let mut serving = Serving::start_logged(&place.database(), &["--log", "json"]);
    serving.post(&key, "/api/v1/clients", &batch(["Secretname".to_owned()]));
    serving.get(&key, "/api/v1/clients?external_id=Secretname");
    serving.get(&key, "/api/v1/Secretname");
    serving.get("mtb_Secretname", "/api/v1/me");
    // What is no HTTP is no request, and has no line.
    assert!(send_raw(&serving.origin, "Secretname\r\n\r\n").starts_with("HTTP/1.1 400 "));
    serving.signal("TERM");
    let mut log = String::new();
    serving.process.stderr.take().expect("a pipe").read_to_string(&mut log).expect("text");

    assert!(!log.contains("Secretname") && !log.contains(&key), "{log}");
    let mut lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    // Each thread writes its own lines; their times say which request came first.
    lines.sort_by_key(|line| line["timestamp"].as_str().expect("a time").to_owned());
    let requests: Vec<(&str, &str, u64, bool)> = lines
        .iter()
        .filter(|line| line["message"] == "request")
        .map(|line| {
            assert!(line["request_id"].is_string() && line["duration_ms"].is_number(), "{line}");
            let text = |name: &str| line[name].as_str().unwrap_or_default();
            (text("method"), text("route"), line["status"].as_u64().unwrap_or_default(), line["account"] == account)
        })
        .collect();
    let [posted, listed, unknown, stranger] = requests.as_slice() else { panic!("four requests: {log}") };
    assert_eq!(posted, &("POST", "/api/v1/clients", 200, true));
    assert_eq!(listed, &("GET", "/api/v1/clients", 200, true));
    assert_eq!((unknown.0, unknown.2, unknown.3), ("GET", 404, true));
    assert_eq!((stranger.0, stranger.2, stranger.3), ("GET", 401, false));
}

/// No line waits for a later request, and none is lost.
#[test]
fn every_request_has_its_line_soon_and_a_stop_loses_none() {
    const CALLERS: usize = 8;
    const REQUESTS: usize = 200;
    let place = Place::new();
    let (_, key) = account(&place.database());
    let mut serving = Serving::start_logged(&place.database(), &["--log", "json", "--rate-limit-per-minute", "10"]);
    let log = BufReader::new(serving.process.stderr.take().expect("a pipe"));
    let (sender, lines) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in log.lines() {
            let line: Value = serde_json::from_str(&line.expect("text")).expect("JSON");
            let _ = sender.send(line);
        }
    });
    serving.get(&key, "/api/v1/me");
    let is_request = |line: &Value| line["message"] == "request";
    let is_soon = std::iter::from_fn(|| lines.recv_timeout(Duration::from_secs(20)).ok()).any(|line| is_request(&line));
    assert!(is_soon, "the line of the only request did not come");

    let address = serving.origin.strip_prefix("http://").expect("an origin").to_owned();
    thread::scope(|scope| {
        for _ in 0..CALLERS {
            scope.spawn(|| ask_often(&address, &key, REQUESTS));
        }
    });
    serving.signal("TERM");
    assert!(serving.process.wait().expect("an end").success());
    reader.join().expect("no panic");
    assert_eq!(lines.iter().filter(is_request).count(), CALLERS * REQUESTS);
}

/// Sends requests over one connection, each when the one before is answered.
fn ask_often(address: &str, key: &str, requests: usize) {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let request = format!("GET /api/v1/me HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\n\r\n");
    let mut scratch = [0; 4_096];
    for _ in 0..requests {
        stream.write_all(request.as_bytes()).expect("sent");
        assert!(stream.read(&mut scratch).expect("an answer") > 0);
    }
}

/// Sends bytes that need not be HTTP, and hands back all that comes.
fn send_raw(origin: &str, bytes: &str) -> String {
    let mut stream = TcpStream::connect(origin.strip_prefix("http://").expect("an origin")).expect("a connection");
    stream.write_all(bytes.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    answer
}
