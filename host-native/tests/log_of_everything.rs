//! Nothing that callers send or are answered is in the log, whatever they do and whatever breaks: every
//! case of the wire runs over the program, in both forms of its log, and every value that went over it
//! is searched for in every line (rule D5).

use std::{
    io::{BufRead as _, BufReader},
    process::Child,
    thread,
    time::Duration,
};

use crate::support::{OPERATOR_TOKEN, Place, Serving, unknown_labels};
use matterbook_conformance::wire::{
    Answer, Facts, Failure, Firm, OverHttp, RecordingService, Request, Service, cases, run_all, send,
};
use rusqlite::Connection;
use serde_json::json;

/// Cases that run at once: nearly all of a case's time is waiting.
const AT_ONCE: usize = 32;
/// Longer than the delays of the service, which are two seconds.
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// A service whose log is read all the while.
struct Logged {
    serving: Serving,
    metrics: String,
    lines: thread::JoinHandle<Vec<String>>,
}

impl Logged {
    fn start(place: &Place, format: &str, rate_limit: &str) -> Self {
        let delays = ["--client-delay-seconds", "2", "--prospect-delay-seconds", "2"];
        let flags = ["--log", format, "--rate-limit-per-minute", rate_limit, "--operator-token", OPERATOR_TOKEN];
        let metrics = ["--metrics-listen", "127.0.0.1:0"];
        let mut serving = Serving::start_logged(&place.database(), &[&delays[..], &flags, &metrics].concat());
        let metrics = serving.metrics();
        let log = BufReader::new(serving.process.stderr.take().expect("a pipe"));
        let lines = thread::spawn(move || log.lines().map_while(Result::ok).collect());
        Self { serving, metrics, lines }
    }

    fn service(&self) -> OverHttp {
        OverHttp::connect(&self.serving.origin, OPERATOR_TOKEN).expect("a service that answers")
    }

    /// Its metrics.
    fn scrape(&self) -> String {
        ureq::get(&self.metrics).call().expect("an answer").body_mut().read_to_string().expect("text")
    }

    /// Ends it; all its lines.
    fn stop(mut self) -> Vec<String> {
        self.serving.signal("TERM");
        let process: &mut Child = &mut self.serving.process;
        assert!(process.wait().expect("an end").success());
        self.lines.join().expect("no panic")
    }
}

/// A service whose callers do not wait for a rate limit to let them in again. Their requests are logged as
/// before; the wait alone would take a minute.
struct WithoutLongWaits(OverHttp);

impl Service for WithoutLongWaits {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        self.0.exchange(request)
    }

    fn elapse(&self, duration: Duration) {
        self.0.elapse(duration.min(LONGEST_WAIT));
    }

    fn clock(&self) -> Duration {
        self.0.clock()
    }

    fn facts(&self) -> &Facts {
        self.0.facts()
    }
}

fn check(format: &str, rate_limit: &str) {
    let place = Place::new();
    let logged = Logged::start(&place, format, rate_limit);
    let http = WithoutLongWaits(logged.service());
    let recorded = RecordingService::new(&http);
    let all: Vec<_> = cases::all().collect();
    // Whether they hold is held elsewhere; here they are what callers do.
    assert_eq!(run_all(&all, &recorded, AT_ONCE).len(), all.len());
    let page = logged.scrape();
    assert!(page.lines().count() > 300, "{page}");
    assert_eq!(unknown_labels(&page), Vec::<String>::new(), "labels that have room for a value");
    let mut log = logged.stop();
    assert!(recorded.count() > 5_000, "{} values went over the service", recorded.count());
    assert!(log.len() > 5_000, "{} lines", log.len());
    // This line alone has the ports that the system chose. Once one was the ZIP of a case, 37137.
    let start = log.iter().position(|line| line.contains("listening")).expect("the line of the start");
    log.remove(start);
    assert_eq!(recorded.leaks(&log), Vec::<String>::new());
    // The search finds what is there: the first value of a case, in a line that should not be.
    log.push(format!("2026-01-01T00:00:00Z  INFO request name=Reyes {}", log[1]));
    assert_eq!(recorded.leaks(&log).len(), 1, "a line with a name in it");
}

#[test]
fn no_value_of_any_case_is_in_the_log_as_json() {
    check("json", "120");
}

#[test]
fn no_value_of_any_case_is_in_the_log_as_text() {
    check("text", "0");
}

/// What breaks the database, and what mends it.
const FAULTS: [(&str, &str); 9] = [
    ("create trigger broken before insert on clients begin select raise(abort, 'broken'); end", "drop trigger broken"),
    ("create trigger broken before update on clients begin select raise(abort, 'broken'); end", "drop trigger broken"),
    ("create trigger broken before insert on commits begin select raise(fail, 'broken'); end", "drop trigger broken"),
    (
        "create trigger broken before insert on operator_log begin select raise(abort, 'broken'); end",
        "drop trigger broken",
    ),
    ("alter table clients rename to gone", "alter table gone rename to clients"),
    ("alter table prospects rename to gone", "alter table gone rename to prospects"),
    ("alter table accounts rename column email to gone", "alter table accounts rename column gone to email"),
    // What is kept is not what belongs there: the failure must not quote it.
    (
        "update settlements set former_dates = '\"Zephyrine\"'; update clients set opened_on = 'Zephyrine' where previous_updated_at is null",
        "update settlements set former_dates = '[]'; update clients set opened_on = null where previous_updated_at is null",
    ),
    (
        "update prospects set crash_date = 'Zephyrine'; update clients set settled_on = 'Zephyrine', city = cast(x'5a657068ff' as text) where previous_updated_at is null",
        "update prospects set crash_date = '2025-03-14'; update clients set settled_on = null, city = null where previous_updated_at is null",
    ),
];

/// Everything that a firm and its operator can ask, with names in it.
fn ask_everything(
    recorded: &RecordingService<'_>,
    firm: &Firm<'_>,
    client: &str,
    round: usize,
) -> Result<usize, Failure> {
    let person = json!({"external_id": "Zephyrine-1", "first_name": "Zephyrine", "last_name": "Quixotrix",
        "address_line1": "12 Xanadu Plaza", "zip": "62704", "email": "zephyrine@quixotrix.example",
        "phone": "2175550123", "settled_on": "2025-01-02", "city": format!("Brigadoon {round}")});
    let new =
        json!({"external_id": format!("Zephyrine-2-{round}"), "last_name": "Quixotrix", "settled_on": "2025-02-03"});
    let operator = firm.operator();
    let requests = [
        firm.request("GET", "/me"),
        firm.request("GET", "/clients?external_id=Zephyrine-1"),
        firm.request("GET", "/clients"),
        firm.request("GET", "/prospects"),
        firm.request("GET", "/Zephyrine"),
        firm.request("POST", "/clients").json(&json!({"clients": [person, new]})),
        firm.request("POST", "/cases/settled").header("Idempotency-Key", "Zephyrine-3").json(&person),
        operator.request("GET", &firm.path("")),
        operator.request("GET", &firm.path("/settlements")),
        operator.request("GET", &firm.path(&format!("/clients/{client}"))),
        operator.request("POST", &firm.path(&format!("/clients/{client}/mail-on"))),
        operator.request("PATCH", &firm.path("")).json(&json!({"email": "quixotrix@zephyrine.example"})),
        operator
            .request("POST", &firm.path("/keys"))
            .header("Matterbook-Actor", "Zephyrine")
            .json(&json!({"label": "Zephyrine"})),
    ];
    let mut failures = 0;
    for request in requests {
        let answer = send(recorded, &request)?;
        failures += usize::from(answer.status == 500);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(answer.status != 500 || !text.contains("Zephyrine"), "{text}");
    }
    Ok(failures)
}

#[test]
fn no_value_is_in_the_cause_of_a_failure() {
    for format in ["json", "text"] {
        let place = Place::new();
        let logged = Logged::start(&place, format, "0");
        let http = logged.service();
        let recorded = RecordingService::new(&http);
        let firm = Firm::with(&recorded, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
        let client = json!({"external_id": "Zephyrine-1", "first_name": "Zephyrine", "last_name": "Quixotrix",
            "settled_on": "2024-01-02", "do_not_mail": true});
        let client = firm.create(&client).expect("a client");
        // One that nothing happens to.
        firm.create(&json!({"external_id": "Zephyrine-0", "last_name": "Quixotrix"})).expect("a client");
        let county = firm.operator().fresh_county().expect("a county");
        firm.grant(&county.fips, "2020-01-01").expect("a grant");
        firm.operator().import(&[county.prospect(&json!({"last_name": "Zephyrine"}))]).expect("an import");
        thread::sleep(Duration::from_secs(3));
        let breaking = Connection::open(place.database()).expect("a connection");
        breaking.busy_timeout(Duration::from_secs(10)).expect("patience");
        for (round, (fault, mending)) in FAULTS.into_iter().enumerate() {
            breaking.execute_batch(fault).expect("broken");
            let failures = ask_everything(&recorded, &firm, &client, round).expect("answers");
            assert!(failures > 0, "nothing failed: {fault}");
            breaking.execute_batch(mending).expect("mended");
        }
        let log = logged.stop();
        let causes = log.iter().filter(|line| line.contains("cause")).count();
        assert!(causes >= FAULTS.len(), "{causes} causes");
        assert_eq!(recorded.leaks(&log), Vec::<String>::new());
        assert!(log.iter().all(|line| !line.contains("Zephyrine")), "what was found in the database is not quoted");
    }
}
