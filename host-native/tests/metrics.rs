//! Metrics: what a scrape says is what happened, in the text format of Prometheus, and nothing of it is of a
//! client, a prospect or a key (docs/operating.md, "Metrics").

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use crate::support::{Place, Serving, account, batch, matterbook, unknown_labels};
use serde_json::json;

const OPERATING: &str = include_str!("../../docs/operating.md");
const ALERTS: &str = include_str!("../../packaging/alerts.yml");

/// The samples of a page by name and labels, as they are written.
type Samples = BTreeMap<String, f64>;

fn start(place: &Place, flags: &[&str]) -> (Serving, String) {
    let metrics = ["--metrics-listen", "127.0.0.1:0", "--client-delay-seconds", "0"];
    let mut serving = Serving::start_with(&place.database(), &[metrics.as_slice(), flags].concat());
    let address = serving.metrics();
    (serving, address)
}

fn page(address: &str) -> String {
    let mut answer = ureq::get(address).call().expect("an answer");
    assert_eq!(answer.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    answer.body_mut().read_to_string().expect("text")
}

fn samples(page: &str) -> Samples {
    let lines = page.lines().filter(|line| !line.starts_with('#'));
    let samples: Vec<_> = lines
        .map(|line| {
            let (name, value) = line.rsplit_once(' ').expect("a name and a value");
            (name.to_owned(), value.parse().expect("a number"))
        })
        .collect();
    let by_name: Samples = samples.iter().cloned().collect();
    assert_eq!(by_name.len(), samples.len(), "each sample once");
    by_name
}

fn requests(method: &str, route: &str, status: u16) -> String {
    format!("matterbook_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}}")
}

fn clients(outcome: &str) -> String {
    format!("matterbook_clients_total{{outcome=\"{outcome}\"}}")
}

/// Sends bytes that need not be HTTP.
fn send_raw(origin: &str, bytes: &str) {
    let mut stream = TcpStream::connect(origin.strip_prefix("http://").expect("an origin")).expect("a connection");
    stream.write_all(bytes.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
}

#[test]
fn a_scrape_says_what_happened() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (serving, metrics) = start(&place, &["--rate-limit-per-minute", "12"]);
    for _ in 0..3 {
        serving.get(&key, "/api/v1/me");
    }
    serving.get("mtb_nobodys", "/api/v1/me");
    let people = json!({"clients": [
        {"external_id": "1", "last_name": "Sampleton"},
        {"external_id": "2", "last_name": "Demowitz"},
        {"external_id": "1", "last_name": "Sampleton"},
        {"last_name": "Sampleton", "zip": "123"},
        {"last_name": "Demowitz"},
        {},
    ]});
    let (status, answer) = serving.post(&key, "/api/v1/clients", &people);
    assert_eq!(status, 200, "{answer}");
    let settled = json!({"external_id": "2", "settled_on": "2026-01-02"});
    let settle = || {
        let request = ureq::post(format!("{}/api/v1/cases/settled", serving.origin))
            .header("authorization", format!("Bearer {key}"))
            .header("idempotency-key", "once");
        request.send(settled.to_string()).expect("an answer").status()
    };
    // The second one is the saved answer of the first: nothing is done for it.
    assert_eq!([settle(), settle()], [200, 200]);
    serving.get(&key, "/api/v1/clients");
    serving.get(&key, "/api/v1/Sampleton");
    // What is no HTTP is no request, and is not counted.
    send_raw(&serving.origin, "Sampleton\r\n\r\n");
    let found = samples(&page(&metrics));
    let expected = [
        (requests("GET", "/api/v1/me", 200), 3.0),
        (requests("GET", "/api/v1/me", 401), 1.0),
        (requests("POST", "/api/v1/clients", 200), 1.0),
        (requests("POST", "/api/v1/cases/settled", 200), 2.0),
        (requests("GET", "/api/v1/clients", 200), 1.0),
        (requests("other", "other", 404), 1.0),
        (clients("created"), 2.0),
        (clients("updated"), 2.0),
        (clients("conflict"), 1.0),
        (clients("error"), 2.0),
        ("matterbook_http_request_duration_seconds_count{method=\"GET\",route=\"/api/v1/me\"}".to_owned(), 4.0),
        ("matterbook_store_duration_seconds_count{verb=\"change\"}".to_owned(), 3.0),
        ("matterbook_store_duration_seconds_count{verb=\"clients\"}".to_owned(), 1.0),
        ("matterbook_commit_rows_bucket{le=\"10\"}".to_owned(), found["matterbook_commit_rows_count"]),
        ("matterbook_commits_failed_total".to_owned(), 0.0),
        ("matterbook_write_queue_requests".to_owned(), 0.0),
        ("matterbook_connections_limit".to_owned(), 768.0),
        (format!("matterbook_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION")), 1.0),
    ];
    for (name, value) in expected {
        assert_eq!(found.get(&name), Some(&value), "{name} in {found:#?}");
    }
    let requests_in_all: f64 = found
        .iter()
        .filter(|(name, _)| name.starts_with("matterbook_http_requests_total"))
        .map(|(_, count)| count)
        .sum();
    assert_eq!(requests_in_all, 9.0);
    // The record of the key's use, the batch, the settlement and what the saved answer left: at the most.
    assert!((2.0..=4.0).contains(&found["matterbook_commit_rows_count"]));
    let size = |file: &str| std::fs::metadata(place.file(file)).expect("a file").len();
    assert_eq!(found["matterbook_database_bytes"] as u64, size("matterbook.db"));
    assert_eq!(found["matterbook_wal_bytes"] as u64, size("matterbook.db-wal"));
    for name in ["matterbook_disk_free_bytes", "process_resident_memory_bytes", "process_open_fds", "process_max_fds"] {
        assert!(found[name] > 1.0, "{name}");
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs_f64();
    assert!((now - 600.0..=now).contains(&found["process_start_time_seconds"]));

    let limited = (0..12).filter(|_| serving.get(&key, "/api/v1/me").0 == 429).count();
    assert!(limited > 0);
    assert_eq!(samples(&page(&metrics))[&requests("GET", "/api/v1/me", 429)], limited as f64);
}

#[test]
fn writes_that_fail_are_counted() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (serving, metrics) = start(&place, &[]);
    let breaking = rusqlite::Connection::open(place.database()).expect("a connection");
    let fault = "create trigger broken before insert on clients begin select raise(abort, 'broken'); end";
    breaking.execute_batch(fault).expect("broken");
    let (status, _) = serving.post(&key, "/api/v1/clients", &batch(["1".to_owned()]));
    assert_eq!(status, 500);
    let found = samples(&page(&metrics));
    assert_eq!(found["matterbook_commits_failed_total"], 1.0);
    assert_eq!(found[&requests("POST", "/api/v1/clients", 500)], 1.0);
    assert_eq!(found[&clients("created")], 0.0, "nothing was saved");
}

#[test]
fn the_metrics_have_their_own_address_and_are_off_without_one() {
    let place = Place::new();
    let (serving, metrics) = start(&place, &[]);
    let (status, _) = serving.get("mtb_nobodys", "/metrics");
    assert_eq!(status, 404, "callers do not reach them");
    // Whatever is asked there is answered with the page, and nothing else is there.
    let origin = metrics.strip_suffix("/metrics").expect("the usual path");
    assert!(page(&format!("{origin}/api/v1/me")).starts_with("# HELP matterbook_build_info "));

    let taken = origin.strip_prefix("http://").expect("an origin");
    let file = place.file("other.db");
    let flags = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", taken, "--db"];
    let refused = matterbook(&flags).arg(&file).output().expect("the program starts");
    assert_eq!(refused.status.code(), Some(1));
    let sentence = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(sentence.starts_with(&format!("{taken} cannot be listened on: ")), "{sentence}");

    let without = Serving::start(&file);
    let listening = std::fs::read_dir(format!("/proc/{}/fd", without.process.id())).expect("Linux").count();
    let with = std::fs::read_dir(format!("/proc/{}/fd", serving.process.id())).expect("Linux").count();
    assert!(listening < with, "no second socket: {listening}, {with}");
}

/// Every label has one of the program's own words, whatever callers send.
#[test]
fn no_label_has_room_for_what_a_caller_sends() {
    let place = Place::new();
    let (account, key) = account(&place.database());
    let (serving, metrics) = start(&place, &["--operator-token", crate::support::OPERATOR_TOKEN]);
    for path in ["/api/v1/Sampleton", "/Sampleton", "/api/v1/clients?external_id=Sampleton", "/operator/v1/Sampleton"] {
        serving.get(&key, path);
    }
    serving.get(crate::support::OPERATOR_TOKEN, &format!("/operator/v1/accounts/{account}"));
    serving.get("wrong", "/operator/v1/settings");
    serving.post(&key, "/api/v1/clients", &batch(["Sampleton".to_owned()]));
    send_raw(&serving.origin, "SAMPLETON /api/v1/me HTTP/1.1\r\nhost: sampleton\r\nconnection: close\r\n\r\n");
    let page = page(&metrics);
    assert!(!page.to_lowercase().contains("sampleton") && !page.contains(&key) && !page.contains(&account), "{page}");
    assert_eq!(unknown_labels(&page), Vec::<String>::new());
    let found = samples(&page);
    assert_eq!(found.get(&requests("GET", "/operator/v1/accounts/{account}", 200)), Some(&1.0), "{page}");
    assert_eq!(found.get(&requests("GET", "/operator/v1/settings", 401)), Some(&1.0), "{page}");
    // It would find one.
    let line = "matterbook_clients_total{outcome=\"created\",name=\"Sampleton\"} 1\n";
    assert_eq!(unknown_labels(&(page.clone() + line)).len(), 1);
    let line = "matterbook_http_requests_total{route=\"/api/v1/Sampleton\"} 1\n";
    assert_eq!(unknown_labels(&(page + line)).len(), 1);
}

/// While many callers are busy, each scrape is whole, no count falls, and in the end none is missing.
#[test]
fn scrapes_under_load_are_whole_and_lose_nothing() {
    const CALLERS: usize = 4;
    const BATCHES: usize = 25;
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (serving, metrics) = start(&place, &["--rate-limit-per-minute", "0"]);
    let is_done = AtomicBool::new(false);
    let scrapes = thread::scope(|scope| {
        let scraping = scope.spawn(|| {
            let (mut before, mut scrapes) = (Samples::new(), 0);
            while !is_done.load(Ordering::Relaxed) {
                let found = samples(&page(&metrics));
                for (name, count) in
                    before.iter().filter(|(name, _)| name.contains("_total") || name.contains("_bucket"))
                {
                    assert!(found[name] >= *count, "{name} fell from {count} to {}", found[name]);
                }
                (before, scrapes) = (found, scrapes + 1);
            }
            scrapes
        });
        thread::scope(|scope| {
            for caller in 0..CALLERS {
                let (serving, key) = (&serving, &key);
                scope.spawn(move || {
                    for number in 0..BATCHES {
                        let ids = (0..10).map(|row| format!("{caller}-{number}-{row}"));
                        assert_eq!(serving.post(key, "/api/v1/clients", &batch(ids)).0, 200);
                        assert_eq!(serving.get(key, "/api/v1/me").0, 200);
                    }
                });
            }
        });
        is_done.store(true, Ordering::Relaxed);
        scraping.join().expect("no panic")
    });
    assert!(scrapes > 1, "{scrapes} scrapes");
    let found = samples(&page(&metrics));
    let posts = (CALLERS * BATCHES) as f64;
    assert_eq!(found[&requests("POST", "/api/v1/clients", 200)], posts);
    assert_eq!(found[&requests("GET", "/api/v1/me", 200)], posts);
    assert_eq!(found[&clients("created")], posts * 10.0);
    assert_eq!(found["matterbook_store_duration_seconds_count{verb=\"change\"}"], posts);
}

#[test]
fn the_page_on_operating_lists_every_metric_with_its_type() {
    let place = Place::new();
    let (_serving, metrics) = start(&place, &[]);
    let page = page(&metrics);
    let families: BTreeSet<_> = page.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    let rows = OPERATING.lines().filter(|line| line.starts_with("| `matterbook_") || line.starts_with("| `process_"));
    let documented: BTreeSet<_> = rows
        .map(|row| {
            let mut cells = row.split('|').map(|cell| cell.trim().trim_matches('`'));
            format!("{} {}", cells.nth(1).expect("a name"), cells.next().expect("a type"))
        })
        .collect();
    assert_eq!(documented.iter().map(String::as_str).collect::<BTreeSet<_>>(), families);
    // A query that names what is not there finds nothing, and an alert on it never comes.
    let words =
        [OPERATING, ALERTS].into_iter().flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    let names = words.filter(|word| word.starts_with("matterbook_"));
    let mut count = 0;
    for name in names {
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|ending| name.strip_suffix(ending));
        let is_there = |name: &str| families.iter().any(|known| known.split(' ').next() == Some(name));
        assert!(is_there(name) || family.is_some_and(is_there), "{name}");
        count += 1;
    }
    assert!(count > 30, "{count} names");
}

/// Each family has its help, its type and then only its own samples. Each histogram has rising bounds, counts
/// that do not fall, and as many values as its last bucket.
#[test]
fn a_page_is_in_the_text_format_of_prometheus() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (serving, metrics) = start(&place, &[]);
    assert_eq!(serving.post(&key, "/api/v1/clients", &batch(["1".to_owned()])).0, 200);
    let page = page(&metrics);
    let (mut family, mut kind, mut last) = ("", "", None::<(String, f64, f64)>);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            family = help.split_once(' ').expect("a name and a sentence").0;
            let rest = lines.next().and_then(|line| line.strip_prefix("# TYPE ")?.strip_prefix(family));
            kind = rest.expect("the family's type").trim_start();
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            continue;
        }
        let (sample, value) = line.rsplit_once(' ').expect("a sample and a value");
        let value: f64 = value.parse().expect("a number");
        let (name, labels) = sample.split_once('{').unwrap_or((sample, "}"));
        let labels = labels.strip_suffix('}').expect("the end of the labels");
        let ending = name.strip_prefix(family).expect("a sample of the family");
        match ending {
            "" => assert_ne!(kind, "histogram", "{line}"),
            "_bucket" => {
                let (labels, bound) = labels.rsplit_once("le=\"").expect("a bound");
                let labels = labels.trim_end_matches(',').to_owned();
                let bound: f64 = bound.trim_end_matches('"').parse().expect("a number or +Inf");
                if let Some((before, lower, count)) = &last {
                    assert!(*before == labels && *lower < bound && *count <= value, "{line}");
                }
                last = Some((labels, bound, value));
            }
            "_sum" => assert!(value >= 0.0, "{line}"),
            "_count" => assert_eq!(last.take(), Some((labels.to_owned(), f64::INFINITY, value)), "{line}"),
            _ => panic!("{line} in {family}"),
        }
    }
    assert_eq!(last, None);
}

#[test]
fn a_commit_is_counted_at_the_bound_of_its_rows_and_above() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (serving, metrics) = start(&place, &[]);
    // The first request of a key is committed too.
    serving.get(&key, "/api/v1/me");
    let before = samples(&page(&metrics));
    let rows = batch((0..50).map(|row| row.to_string()));
    assert_eq!(serving.post(&key, "/api/v1/clients", &rows).0, 200);
    let after = samples(&page(&metrics));
    let added = |name: &str| {
        after[&format!("matterbook_commit_rows_{name}")] - before[&format!("matterbook_commit_rows_{name}")]
    };
    let buckets = ["10", "50", "100", "2000", "+Inf"].map(|bound| added(&format!("bucket{{le=\"{bound}\"}}")));
    assert_eq!((buckets, added("count"), added("sum")), ([0.0, 1.0, 1.0, 1.0, 1.0], 1.0, 50.0));
    let name = "matterbook_http_request_duration_seconds_sum{method=\"POST\",route=\"/api/v1/clients\"}";
    assert!((0.000_1..60.0).contains(&after[name]), "{} s", after[name]);
}

#[test]
fn requests_without_an_endpoint_share_one_label() {
    let place = Place::new();
    let (_, key) = account(&place.database());
    let (serving, metrics) = start(&place, &[]);
    for line in ["GET /api/v1/unknown", "BREW /api/v1/me", "DELETE /api/v1/clients", "GET /nothing", "HEAD /api/v1/me"]
    {
        let head = format!("{line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n");
        send_raw(&serving.origin, &head);
    }
    let found = samples(&page(&metrics));
    let requests: Vec<_> =
        found.iter().filter(|(name, _)| name.starts_with("matterbook_http_requests_total")).collect();
    let others: f64 = requests
        .iter()
        .filter(|(name, _)| name.contains("method=\"other\",route=\"other\""))
        .map(|(_, count)| **count)
        .sum();
    assert_eq!((others, found[&self::requests("GET", "/api/v1/me", 200)]), (4.0, 1.0), "{requests:?}");
    assert!(requests.iter().all(|(name, _)| name.contains("other") || name.contains("/api/v1/me")), "{requests:?}");
}

#[test]
fn open_connections_are_counted_until_they_close() {
    let place = Place::new();
    let (serving, metrics) = start(&place, &[]);
    let address = serving.origin.strip_prefix("http://").expect("an origin");
    let streams: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = TcpStream::connect(address).expect("a connection");
            stream.write_all(b"GET /api/v1/me HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
            assert!(stream.read(&mut [0; 4_096]).expect("an answer") > 0);
            stream
        })
        .collect();
    let open = || samples(&page(&metrics))["matterbook_connections"];
    assert_eq!(open(), 3.0);
    drop(streams);
    let began = std::time::Instant::now();
    while open() > 0.0 {
        assert!(began.elapsed().as_secs() < 10, "{} are still counted", open());
    }
}
