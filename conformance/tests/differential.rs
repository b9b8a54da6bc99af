//! One service, three stores: random sequences of requests get the same answers, byte for byte,
//! from the store in memory and from the SQL store in both of its forms. Clock and random bytes are
//! the same in each, so ids, times and cursors are too.

mod services;

use matterbook_conformance::wire::{Answer, Operator, Request, Service};
use matterbook_core::memory::{ManualPlatform, MemoryStore};
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
    cursors: Vec<(String, String)>,
}

fn pick<'a, T>(index: &Index, from: &'a [T]) -> Option<&'a T> {
    if from.is_empty() { None } else { Some(index.get(from)) }
}

impl World {
    /// The request that an operation comes to; `None` where there is nothing to refer to yet.
    fn request(&self, operation: &Operation, operator: &Operator<'_>) -> Option<Request> {
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
                let (path, cursor) = pick(cursor, &self.cursors)?;
                let path = format!("{path}?cursor={cursor}&{limit}");
                if path.starts_with("/accounts") { operator.request("GET", &path) } else { public("GET", path) }
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

    /// Remembers what an answer names.
    fn learn(&mut self, request: &Request, answer: &Answer) {
        let ids = |pointer: &str| -> Vec<String> {
            let rows = answer.at(pointer).as_array().cloned().unwrap_or_default();
            rows.iter().filter_map(|row| row["id"].as_str().map(str::to_owned)).collect()
        };
        let results = ids("/results");
        if request.target == "/operator/v1/prospects" {
            self.prospects.extend(results);
        } else {
            self.clients.extend(results);
            self.clients.extend(answer.at("/result/id").as_str().map(str::to_owned));
        }
        if let Some(cursor) = answer.at("/next_cursor").as_str() {
            let path = request.target.split('?').next().unwrap_or_default();
            let path = path.trim_start_matches("/api/v1").trim_start_matches("/operator/v1");
            if path != "/log" {
                self.cursors.push((path.to_owned(), cursor.to_owned()));
            }
        }
        if let (Some(id), Some(key)) = (answer.at("/key/id").as_str(), answer.at("/key/key").as_str()) {
            self.key_ids.push(id.to_owned());
            key.clone_into(&mut self.key);
        }
    }
}

/// Sends one request to each service and holds the answers to be one.
fn same_answer(services: &[&dyn Service], request: &Request) -> Result<Answer, TestCaseError> {
    let answers: Vec<Answer> = services
        .iter()
        .map(|service| service.exchange(request).map_err(TestCaseError::fail))
        .collect::<Result<_, _>>()?;
    let first = &answers[0];
    for (other, name) in answers.iter().zip(["memory", "rows", "sets"]).skip(1) {
        prop_assert_eq!(first.status, other.status, "{}: {}", name, request);
        prop_assert_eq!(&first.headers, &other.headers, "{}: {}", name, request);
        prop_assert_eq!(&first.json, &other.json, "{}: {}", name, request);
    }
    prop_assert!(first.status < 500, "{}", request);
    Ok(first.clone())
}

proptest! {
    #![proptest_config(Config { cases: 128, failure_persistence: None, ..Config::default() })]

    #[test]
    fn every_store_gives_the_same_answers(operations in prop::collection::vec(operation(), 1..40)) {
        let platforms = [(); 3].map(|()| ManualPlatform::new(services::start()));
        let [first, second, third] = platforms.clone();
        let memory = services::over_with(MemoryStore::default(), services::settings(), first);
        let rows = services::over_with(InRows(Database::new()), services::settings(), second);
        let sets = services::over_with(SqlStore::new(InSets(Database::new())), services::settings(), third);
        let all: [&dyn Service; 3] = [&memory, &rows, &sets];
        let operator = Operator::of(&memory);
        let account = json!({"email": "firm@example.com", "api_enabled": true, "digital_bundle": true});
        let created = same_answer(&all, &operator.request("POST", "/accounts").json(&account))?;
        let mut world = World {
            account: created.text("/account/id").map_err(|failure| TestCaseError::fail(failure.to_string()))?,
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
            } else if let Some(request) = world.request(operation, &operator) {
                let answer = same_answer(&all, &request)?;
                world.learn(&request, &answer);
            }
        }
    }
}
