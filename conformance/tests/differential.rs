//! One service, three stores: random sequences of requests get the same answers, byte for byte,
//! from the store in memory and from the SQL store in both of its forms, over the second of which the
//! service remembers the keys that it saw. Clock and random bytes are the same in each, so ids and
//! times are too. Only a cursor may stand elsewhere between the same two rows.

mod services;

use matterbook_conformance::wire::{Answer, Operator, Request, Service};
use matterbook_core::{
    memory::{ManualPlatform, MemoryStore},
    settings::Settings,
};
use matterbook_store_sql::SqlStore;
use proptest::{
    prelude::*,
    sample::{Index, select},
    test_runner::Config,
};
use serde_json::{Value, json};
use services::sqlite::{Database, InRows, InSets};

/// Something that somebody does. Whatever it refers to is chosen among what there is.
#[derive(Clone, Debug)]
enum Operation {
    Post(Vec<Value>, Option<&'static str>),
    Settle(Value, Option<&'static str>),
    ListClients(&'static str),
    GoOn(Index, &'static str),
    ListProspects(&'static str),
    Import(Vec<Value>),
    EraseProspect(Index),
    Grant(&'static str, &'static str),
    RevokeCounty(&'static str),
    SetAccount(&'static str, bool),
    ShowClient(Index),
    MailOn(Index),
    EraseClient(Index),
    Settlements(&'static str),
    Log,
    NewKey,
    RevokeKey(Index),
    Elapse(i64),
}

const FIPS: [&str; 3] = ["06037", "17031", "48201"];

fn client() -> impl Strategy<Value = Value> {
    let pick = |name: &'static str, values: &'static [&'static str]| {
        prop::option::of(select(values)).prop_map(move |value| value.map(|value| (name.to_owned(), json!(value))))
    };
    (
        pick("external_id", &["a", "b", "c", "d"]),
        pick("first_name", &["Ada", "ADA", "Bo"]),
        pick("last_name", &["Reyes", "reyes", "Stone", " "]),
        pick("address_line1", &["12 Elm St", "12 ELM STREET", "7 Oak Ave"]),
        pick("zip", &["62704", "62704-1234", "02139", "1"]),
        pick("city", &["Springfield", "Peoria", "Żółć"]),
        pick("settled_on", &["2025-01-02", "2025-03-04", "2025-05-06"]),
        pick("new_settlement", &["yes", "no"]),
        pick("do_not_mail", &["yes", "no"]),
    )
        .prop_map(|fields| {
            let (a, b, c, d, e, f, g, h, i) = fields;
            Value::Object([a, b, c, d, e, f, g, h, i].into_iter().flatten().collect())
        })
}

fn prospect() -> impl Strategy<Value = Value> {
    (
        select(vec!["s1", "s2", "s3", "s4", "s5", "s6"]),
        select(&FIPS[..]),
        select(vec!["2025-01-01", "2025-06-01", "2026-01-01"]),
        prop::option::of(select(vec!["Ada", "Bo", ""])),
    )
        .prop_map(|(source_id, fips, crash_date, name)| {
            json!({"source_id": source_id, "crash_county_fips": fips, "crash_date": crash_date, "first_name": name})
        })
}

fn operation() -> impl Strategy<Value = Operation> {
    let idempotency = || prop::option::weighted(0.2, select(vec!["k1", "k2"]));
    let limits = || select(vec!["limit=1", "limit=2", "limit=3", ""]);
    prop_oneof![
        8 => (prop::collection::vec(client(), 1..5), idempotency()).prop_map(|(batch, key)| Operation::Post(batch, key)),
        4 => (client(), idempotency()).prop_map(|(client, key)| Operation::Settle(client, key)),
        4 => select(vec!["", "limit=2", "limit=1&external_id=a", "external_id=b", "limit=1&updated_since=2026-01-01T00:01:00Z"])
            .prop_map(Operation::ListClients),
        6 => (any::<Index>(), limits()).prop_map(|(cursor, limit)| Operation::GoOn(cursor, limit)),
        3 => select(vec!["", "limit=1", "limit=2", "order=newest", "order=newest&limit=2"]).prop_map(Operation::ListProspects),
        3 => prop::collection::vec(prospect(), 1..4).prop_map(Operation::Import),
        1 => any::<Index>().prop_map(Operation::EraseProspect),
        2 => (select(&FIPS[..]), select(vec!["2025-01-01", "2025-06-01"])).prop_map(|(fips, from)| Operation::Grant(fips, from)),
        1 => select(&FIPS[..]).prop_map(Operation::RevokeCounty),
        1 => (select(vec!["suspended", "api_enabled", "digital_bundle", "contact_enrichment"]), prop::bool::weighted(0.7))
            .prop_map(|(flag, on)| Operation::SetAccount(flag, on)),
        2 => any::<Index>().prop_map(Operation::ShowClient),
        1 => any::<Index>().prop_map(Operation::MailOn),
        1 => any::<Index>().prop_map(Operation::EraseClient),
        2 => limits().prop_map(Operation::Settlements),
        1 => Just(Operation::Log),
        1 => Just(Operation::NewKey),
        1 => any::<Index>().prop_map(Operation::RevokeKey),
        // Machines' clocks differ by seconds: time also goes back a little.
        5 => select(vec![0, 1, -3, 20, 59, 61, 3_600, 86_401]).prop_map(Operation::Elapse),
    ]
}

/// What the answers so far have named: the same in each service, since the answers are.
struct World {
    account: String,
    key: String,
    key_ids: Vec<String>,
    clients: Vec<String>,
    prospects: Vec<String>,
    /// Paths of listings, each with the cursor of each service: a page may end at any place that
    /// nothing shown stands behind.
    cursors: Vec<(String, [String; 3])>,
}

fn pick<'a, T>(index: &Index, from: &'a [T]) -> Option<&'a T> {
    if from.is_empty() { None } else { Some(index.get(from)) }
}

impl World {
    /// The request that an operation comes to at that service; `None` where there is nothing to refer
    /// to yet.
    fn request(&self, operation: &Operation, operator: &Operator<'_>, place: usize) -> Option<Request> {
        let public = |method: &str, path: String| Request::new(method, format!("/api/v1{path}")).bearer(&self.key);
        let account = |rest: String| format!("/accounts/{}{rest}", self.account);
        let keyed = |request: Request, key: &Option<&'static str>| match key {
            Some(key) => request.header("Idempotency-Key", *key),
            None => request,
        };
        Some(match operation {
            Operation::Post(batch, key) => {
                keyed(public("POST", "/clients".to_owned()), key).json(&json!({"clients": batch}))
            }
            Operation::Settle(client, key) => keyed(public("POST", "/cases/settled".to_owned()), key).json(client),
            Operation::ListClients(query) => public("GET", format!("/clients?{query}")),
            Operation::ListProspects(query) => public("GET", format!("/prospects?{query}")),
            Operation::GoOn(cursor, limit) => {
                let (path, cursors) = pick(cursor, &self.cursors)?;
                let cursor = cursors.get(place)?;
                let path = format!("{path}?cursor={cursor}&{limit}");
                if path.starts_with("/accounts") || path.starts_with("/log") {
                    operator.request("GET", &path)
                } else {
                    public("GET", path)
                }
            }
            Operation::Import(prospects) => {
                operator.request("POST", "/prospects").json(&json!({"prospects": prospects}))
            }
            Operation::EraseProspect(index) => {
                operator.request("DELETE", &format!("/prospects/{}", pick(index, &self.prospects)?))
            }
            Operation::Grant(fips, from_date) => {
                operator.request("PUT", &account(format!("/counties/{fips}"))).json(&json!({"from_date": from_date}))
            }
            Operation::RevokeCounty(fips) => operator.request("DELETE", &account(format!("/counties/{fips}"))),
            Operation::SetAccount(flag, on) => {
                let on = if *flag == "suspended" { !on } else { *on };
                operator.request("PATCH", &account(String::new())).json(&json!({*flag: on}))
            }
            Operation::ShowClient(index) => {
                operator.request("GET", &account(format!("/clients/{}", pick(index, &self.clients)?)))
            }
            Operation::MailOn(index) => {
                operator.request("POST", &account(format!("/clients/{}/mail-on", pick(index, &self.clients)?)))
            }
            Operation::EraseClient(index) => {
                operator.request("DELETE", &account(format!("/clients/{}", pick(index, &self.clients)?)))
            }
            Operation::Settlements(query) => operator.request("GET", &account(format!("/settlements?{query}"))),
            Operation::Log => operator.request("GET", "/log?limit=100"),
            Operation::NewKey => operator.request("POST", &account("/keys".to_owned())).json(&json!({})),
            Operation::RevokeKey(index) => {
                operator.request("DELETE", &format!("/keys/{}", pick(index, &self.key_ids)?))
            }
            Operation::Elapse(_) => return None,
        })
    }

    /// Remembers what the answers name.
    fn learn(&mut self, request: &Request, answers: &[Answer; 3]) {
        let answer = &answers[0];
        let rows = answer.at("/results").as_array().cloned().unwrap_or_default();
        let results = rows.iter().filter_map(|row| row["id"].as_str().map(str::to_owned));
        if request.target == "/operator/v1/prospects" {
            self.prospects.extend(results);
        } else {
            self.clients.extend(results);
            self.clients.extend(answer.at("/result/id").as_str().map(str::to_owned));
        }
        if let Some(cursors) = cursors(answers) {
            self.cursors.push((path_of(request).to_owned(), cursors));
        }
        if let (Some(id), Some(key)) = (answer.at("/key/id").as_str(), answer.at("/key/key").as_str()) {
            self.key_ids.push(id.to_owned());
            key.clone_into(&mut self.key);
        }
    }
}

/// The path of a request beneath its base.
fn path_of(request: &Request) -> &str {
    let path = request.target.split('?').next().unwrap_or_default();
    path.trim_start_matches("/api/v1").trim_start_matches("/operator/v1")
}

/// The cursor that each service gave, if all did.
fn cursors(answers: &[Answer; 3]) -> Option<[String; 3]> {
    let [Some(first), Some(second), Some(third)] =
        answers.each_ref().map(|answer| answer.at("/next_cursor").as_str().map(str::to_owned))
    else {
        return None;
    };
    Some([first, second, third])
}

/// Sends each service its request, and holds the answers to be one but for their cursors.
fn same_answers(services: [&dyn Service; 3], requests: &[Request; 3]) -> Result<[Answer; 3], TestCaseError> {
    let send = |place: usize| services[place].exchange(&requests[place]).map_err(TestCaseError::fail);
    let answers = [send(0)?, send(1)?, send(2)?];
    let shown = answers.each_ref().map(|answer| {
        let mut json = answer.json.clone();
        if let Some(cursor) = json.get_mut("next_cursor") {
            cursor.take();
        }
        json
    });
    for (other, name) in [(1, "rows"), (2, "sets")] {
        prop_assert_eq!(answers[0].status, answers[other].status, "{}: {}", name, &requests[0]);
        prop_assert_eq!(&answers[0].headers, &answers[other].headers, "{}: {}", name, &requests[0]);
        prop_assert_eq!(&shown[0], &shown[other], "{}: {}", name, &requests[0]);
    }
    prop_assert!(answers[0].status < 500, "{}", &requests[0]);
    let ended = answers.each_ref().map(|answer| answer.at("/next_cursor").is_null());
    if ended != [ended[0]; 3] {
        nothing_follows(services, requests, &answers)?;
    }
    Ok(answers)
}

/// Where one service has come to an end and another has not, nothing follows in that one either.
fn nothing_follows(
    services: [&dyn Service; 3],
    requests: &[Request; 3],
    answers: &[Answer; 3],
) -> Result<(), TestCaseError> {
    for ((service, request), answer) in services.iter().zip(requests).zip(answers) {
        let mut next = request.clone();
        let path = request.target.split('?').next().unwrap_or_default();
        // One that has ended is asked something too, so that all draw as many random bytes.
        next.target = match answer.at("/next_cursor").as_str() {
            Some(cursor) => format!("{path}?cursor={cursor}"),
            None => path.to_owned(),
        };
        let rest = service.exchange(&next).map_err(TestCaseError::fail)?;
        if answer.at("/next_cursor").is_string() {
            let rows: usize =
                rest.json.as_object().into_iter().flatten().filter_map(|(_, rows)| rows.as_array()).map(Vec::len).sum();
            prop_assert_eq!(rows, 0, "after the end of another: {}", request);
            prop_assert!(rest.at("/next_cursor").is_null(), "after the end of another: {}", request);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 192, failure_persistence: None, ..Config::default() })]

    #[test]
    fn every_store_gives_the_same_answers(operations in prop::collection::vec(operation(), 1..40)) {
        let settings = || Settings { rate_limit_per_minute: 0, ..services::settings() };
        let platforms = [(); 3].map(|()| ManualPlatform::new(services::start()));
        let [first, second, third] = platforms.clone();
        let memory = services::over_with(MemoryStore::default(), settings(), first);
        let rows = services::over_with(InRows(Database::new()), settings(), second);
        let sets = services::remembering(SqlStore::new(InSets(Database::new())), settings(), third);
        let all: [&dyn Service; 3] = [&memory, &rows, &sets];
        let operator = Operator::of(&memory);
        let account = json!({"email": "firm@example.com", "api_enabled": true, "digital_bundle": true});
        let create = operator.request("POST", "/accounts").json(&account);
        let created = same_answers(all, &[create.clone(), create.clone(), create])?;
        let mut world = World {
            account: created[0].text("/account/id").map_err(|failure| TestCaseError::fail(failure.to_string()))?,
            key: String::new(),
            key_ids: Vec::new(),
            clients: Vec::new(),
            prospects: Vec::new(),
            cursors: Vec::new(),
        };
        for operation in std::iter::once(&Operation::NewKey).chain(&operations) {
            if let Operation::Elapse(seconds) = operation {
                for platform in &platforms {
                    platform.advance_seconds(*seconds);
                }
                continue;
            }
            let [Some(first), Some(second), Some(third)] =
                [0, 1, 2].map(|place| world.request(operation, &operator, place))
            else {
                continue;
            };
            let requests = [first, second, third];
            let answers = same_answers(all, &requests)?;
            world.learn(&requests[0], &answers);
        }
    }
}
