//! The preview says of each row what the service then does, and pages say what `matterbook check` says (rules G41
//! and G43).

use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use matterbook_core::{
    account::AccountFlags,
    api::{Api, ImportCall},
    chrono::Datelike as _,
    http,
    key::{AccountNumber, KeyLimits},
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
    sign_in::{LinkDigest, SessionDigest},
    store::{
        ConsoleStore as _, LogEntry, NewSession, OperatorAnswer, OperatorCommand, OperatorStore as _, Retention,
        SignIn, SignInCommand,
    },
    time::Timestamp,
    uuid::Uuid,
};
use matterbook_import_page::{Import, Source};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_micros(1_767_225_600_000_000);

/// The outcome of a future that waits for nothing: a store in memory never does.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a store in memory waits"),
    }
}

fn entry(id: u128) -> LogEntry {
    let (id, request_id) = (Uuid::from_u128(id), Uuid::from_u128(id));
    let (actor, action, subject) = ("operator".to_owned(), "prepare", String::new());
    LogEntry { id, at: NOW, actor, action, subject, request_id, retention: Retention::default() }
}

/// A service of one account.
struct Service {
    api: Api<MemoryStore, MemoryRateLimiter, ManualPlatform>,
    key: String,
}

impl Service {
    fn new() -> Self {
        let account = Uuid::from_u128(1);
        let number = AccountNumber::from_bytes([0, 0, 0, 0, 0, 7]);
        let key = test_key_secrets().new_key("mtb_", number, [7; 20]);
        let store = MemoryStore::default();
        let flags = AccountFlags { api_enabled: true, ..AccountFlags::default() };
        let (login_id, email) = (Uuid::from_u128(2), "owner@firm.example".to_owned());
        let stored = test_key_secrets().stored(&key);
        let create_key = OperatorCommand::CreateKey {
            id: Uuid::from_u128(3),
            account,
            login: None,
            label: None,
            limits: KeyLimits::default(),
            key: stored,
        };
        let create_account = OperatorCommand::CreateAccount { id: account, number, login_id, email, flags };
        let (link, expires_at) = (LinkDigest::of("link"), NOW.plus_seconds(60));
        let make_link = OperatorCommand::MakeLink { login: login_id, link, expires_at };
        for (id, command) in [(10, create_account), (11, create_key), (12, make_link)] {
            now(store.operate(command, entry(id))).unwrap();
        }
        let session = NewSession { id: Uuid::from_u128(4), digest: SessionDigest::of("session") };
        let (entry_id, request_id, retention) = (Uuid::from_u128(13), Uuid::from_u128(14), Retention::default());
        let command = SignInCommand::UseLink { link, session };
        now(store.sign_in(SignIn { now: NOW, entry_id, request_id, retention, command })).unwrap();
        let settings = Settings { rate_limit_per_minute: 0, ..Settings::default() };
        let api = Api::new(store, MemoryRateLimiter::default(), ManualPlatform::new(NOW), settings, test_key_secrets());
        Self { api, key: key.to_string() }
    }

    /// The settlements of the account: the year of each by its id.
    fn settlements(&self) -> BTreeMap<Uuid, i32> {
        let (mut years, mut after) = (BTreeMap::new(), None);
        loop {
            let command = OperatorCommand::ListSettlements { account: Uuid::from_u128(1), after, limit: 100 };
            let OperatorAnswer::Settlements(page, next) = now(self.api.store().operate(command, entry(20))).unwrap()
            else {
                panic!("no settlements")
            };
            years.extend(page.iter().map(|one| (one.id, one.settled_on.year())));
            if next.is_none() {
                return years;
            }
            after = next;
        }
    }

    /// A dry run as the page makes it.
    fn preview(&self, body: Vec<u8>) -> Vec<u8> {
        let request = http::Request::post("/app/imports/preview?explain=true");
        let (head, body) = request.header("content-type", "application/json").body(body).unwrap().into_parts();
        let session = Some(SessionDigest::of("session"));
        let handled = now(self.api.import(Ok(ImportCall::Preview), "/app/imports/preview", session, &head, body));
        assert_eq!(handled.response.status(), 200, "{}", String::from_utf8_lossy(handled.response.body()));
        handled.response.into_body()
    }

    fn post(&self, body: Vec<u8>) -> Vec<u8> {
        let request = http::Request::post("/api/v1/clients?explain=true");
        let request = request.header("authorization", format!("Bearer {}", self.key));
        let (head, body) = request.header("content-type", "application/json").body(body).unwrap().into_parts();
        let handled = now(self.api.handle(head, body));
        assert_eq!(handled.response.status(), 200, "{}", String::from_utf8_lossy(handled.response.body()));
        handled.response.into_body()
    }
}

/// What became of the rows.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    /// After each batch, the rows of new clients, of known ones, in conflict and invalid.
    counts: Vec<[u64; 4]>,
    /// Number and status.
    refused: BTreeSet<(u64, String)>,
    /// How many settlements began, by year.
    begun: BTreeMap<i32, u64>,
}

fn pass(import: &mut Import, mut ask: impl FnMut(&mut Import, Vec<u8>) -> Vec<u8>) -> Outcome {
    let mut outcome = Outcome::default();
    while let Some(body) = import.next_body().unwrap() {
        let answer = ask(import, body);
        let answer = import.answered(&answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let count = |name: &str| answer["counts"][name].as_u64().unwrap();
        let known = count("updated") + count("unchanged");
        outcome.counts.push([count("created"), known, count("conflict"), count("error")]);
        for settlements in answer["settlements"].as_array().into_iter().flatten() {
            let number = |place: usize| settlements[place].as_u64().unwrap();
            outcome.begun.insert(i32::try_from(number(0)).unwrap(), number(1));
        }
        for refused in answer["refused"].as_array().unwrap() {
            outcome.refused.insert((refused[0].as_u64().unwrap(), refused[1].as_str().unwrap().to_owned()));
        }
    }
    outcome
}

/// Rows of few people, so that many are one client, cannot be told apart or have another one's number.
fn file(seed: u64, rows: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let people = rows / 3;
    let mut text = "Client ID,First Name,Last Name,Address,Zip,Phone,Settled\n".to_owned();
    for _ in 0..rows {
        let person = random.usize(..people);
        let digits = random.u16(..10_000);
        let id = match random.u8(..10) {
            0..5 => format!("M-{person}"),
            5 => format!("M-{}", random.usize(..people)),
            6 => "1.00457E+11".to_owned(),
            _ => String::new(),
        };
        let mut or =
            |part: f64, usual: String, other: &str| if other_one(&mut random, part) { other.to_owned() } else { usual };
        let first = or(0.02, format!("Ana{}", person % 53), "");
        let last = or(0.02, format!("Sample{}", person / 53 % 7), "");
        let street = or(0.05, format!("{} Oak Street", person % 211 + 1), "");
        let zip = or(0.05, format!("{:05}", 2_000 + person % 97), if digits < 5_000 { "" } else { "123" });
        let phone = or(0.05, format!("(217) 555-{digits:04}"), "217-555");
        let settled = or(0.7, format!("202{}-0{}-1{}", digits % 3 + 3, digits % 9 + 1, digits / 9 % 10), "");
        text.push_str(&format!("{id},{first},{last},{street},{zip},{phone},{settled}\n"));
    }
    text.into_bytes()
}

fn other_one(random: &mut fastrand::Rng, part: f64) -> bool {
    random.f64() < part
}

/// A file that is checked.
fn checked(file: Vec<u8>) -> Import {
    let mut import = Import::new("clients.csv", Source::of_bytes(file));
    import.check("{}", &mut |_, _| {}).unwrap();
    import
}

/// Sends a file that nobody compared.
fn send(service: &Service, base: &str, file: Vec<u8>) {
    let mut import = checked(file);
    import.begin_sending(base, &counts_of_nothing(), &[]).unwrap();
    pass(&mut import, |_, body| service.post(body));
}

/// The preview of a file, what then becomes of it, and how many rows the page asks about before it sends them. `between`
/// happens after the preview.
fn previewed_and_sent(
    service: &Service,
    file: Vec<u8>,
    is_asking: bool,
    between: impl FnOnce(),
) -> (Outcome, Outcome, u64) {
    let mut import = checked(file);
    import.begin_preview().unwrap();
    let previewed = pass(&mut import, |_, body| service.preview(body));
    let forecast = import.forecast().unwrap();
    between();
    import.begin_sending("import", &counts_of_nothing(), &forecast).unwrap();
    let mut asked = 0;
    let before = service.settlements();
    let mut sent = pass(&mut import, |import, body| {
        if is_asking {
            let differences = import.differences(&service.preview(body.clone())).unwrap();
            let differences: Value = serde_json::from_str(&differences).unwrap();
            asked += differences["rows"].as_u64().unwrap();
        }
        service.post(body)
    });
    for (_, year) in service.settlements().into_iter().filter(|(id, _)| !before.contains_key(id)) {
        *sent.begun.entry(year).or_default() += 1;
    }
    (previewed, sent, asked)
}

#[test]
fn the_preview_of_100_000_rows_says_what_the_service_then_does() {
    for seed in 0..20 {
        let (previewed, sent, asked) = previewed_and_sent(&Service::new(), file(seed, 5_000), seed % 4 == 0, || {});
        assert_eq!(previewed.begun, sent.begun, "file {seed}");
        assert_eq!(previewed, sent, "file {seed}");
        assert_eq!(asked, 0, "file {seed}");
    }
}

#[test]
fn the_preview_of_100_000_rows_says_what_the_service_does_with_the_clients_that_it_has() {
    for seed in 0..20 {
        let service = Service::new();
        send(&service, "before", file(seed + 100, 1_000 + 200 * usize::try_from(seed).unwrap()));
        let (previewed, sent, asked) = previewed_and_sent(&service, file(seed, 5_000), seed % 4 == 0, || {});
        assert_eq!(previewed.begun, sent.begun, "file {seed}");
        assert_eq!(previewed, sent, "file {seed}");
        assert_eq!(asked, 0, "file {seed}");
    }
}

#[test]
fn rows_are_asked_about_whose_clients_another_changed_after_the_preview() {
    const FILE: &str = "Client ID,First Name,Last Name,Address,Zip,Phone\n\
        M-1,Ana,Specimenez,12 Oak St,02134,2175550134\nM-2,Bob,Sampleton,5 Demo Ave,02134,\n";
    for (other, expected) in [
        (r#"{"external_id":"M-9","first_name":"Dee","last_name":"Exampleton"}"#, 0),
        // The same value as in the file: nothing is left to change.
        (r#"{"external_id":"M-1","phone":"2175550134"}"#, 1),
        (r#"{"external_id":"M-1","phone":"2175550199"}"#, 0),
        (r#"{"external_id":"M-1","address_line1":"1 Other Rd"}"#, 1),
        (r#"{"external_id":"M-2","first_name":"Bob","last_name":"Sampleton"}"#, 1),
        (
            r#"{"external_id":"M-7","first_name":"Bob","last_name":"Sampleton","address_line1":"5 Demo Ave","zip":"02134"}"#,
            1,
        ),
    ] {
        let service = Service::new();
        let ana = r#"{"clients":[{"external_id":"M-1","first_name":"Ana","last_name":"Specimenez","address_line1":"12 Oak St","zip":"02134"}]}"#;
        service.post(ana.into());
        let change = || drop(service.post(format!("{{\"clients\":[{other}]}}").into()));
        let (_, _, asked) = previewed_and_sent(&service, FILE.into(), true, change);
        assert_eq!(asked, expected, "{other}");
    }
}

fn counts_of_nothing() -> String {
    json!({"created": 0, "updated": 0, "unchanged": 0, "conflict": 0, "error": 0, "incomplete": 0}).to_string()
}
