//! The limits of D1, held by every query and by the largest request of every endpoint.
//!
//! The database of the tests has SQLite's own limits set as D1 has them: bytes of SQL, bound
//! parameters, columns, terms of a compound select, depth of an expression, bytes of a pattern. The
//! driver of the tests asserts that no batch is empty and that no parameter has a million bytes. Here
//! each endpoint of both APIs is asked for as much as it takes, and a whole request, from the read of
//! its key to the record that the key was used, has fewer than 20 statements. `--nocapture` prints how
//! many each takes.

use std::{cell::RefCell, time::Duration};

use crate::support::{Form, Shared, at, block_on, database};
use http::{Method, StatusCode};
use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, MemoryRateLimiter, test_key_secrets},
    settings::Settings,
    store::TransferDigest,
};
use matterbook_store_sql::{SqlStore, queries};
use serde_json::{Value, json};

/// A whole request has fewer statements than this.
const STATEMENTS_MAX: usize = 20;

/// The most clients or prospects of one request.
const BATCH: usize = 500;

/// Queries with a pattern of at most 50 bytes (`src/operate/console/clients.rs`), which D1 takes. The database of the
/// tests refuses a longer one when it runs.
const WITH_BOUNDED_PATTERN: [&str; 3] = ["aliases_like", "search_all_clients", "search_clients"];

#[test]
fn every_query_is_accepted_by_d1() {
    let connection = database();
    for query in queries::all() {
        for sql in [&query.row_sql, query.d1_sql()] {
            connection.prepare(sql).unwrap_or_else(|error| panic!("{}: {error}", query.name));
            let words = sql.to_lowercase();
            let has_pattern = words.split_whitespace().any(|word| word == "like" || word == "glob");
            let may_have_pattern = WITH_BOUNDED_PATTERN.contains(&query.name);
            assert_eq!(has_pattern, may_have_pattern, "{}: a pattern may be 50 bytes long at most", query.name);
        }
    }
}

#[test]
fn the_database_of_the_tests_refuses_what_d1_refuses() {
    let connection = database();
    let refused = |sql: String| connection.prepare(&sql).unwrap_err().to_string();
    assert!(refused(["select 1"; 6].join(" union all ")).contains("too many terms"));
    assert!(refused(format!("select {}1", "1+".repeat(100))).contains("too large"));
    assert!(refused(format!("select {}", vec!["?"; 101].join(","))).contains("too many"));
    assert!(refused(format!("select 1 -- {}", "-".repeat(100_000))).contains("too long"));
}

/// The service over a database that runs every query as D1 does.
struct Service {
    driver: Shared,
    platform: ManualPlatform,
    api: Api<SqlStore<Shared>, MemoryRateLimiter, ManualPlatform>,
    account: String,
    key: String,
    /// What was asked, with the statements that it took.
    asked: RefCell<Vec<(String, usize)>>,
}

impl Service {
    /// With one account that may do everything, its key, and a county.
    fn new() -> Self {
        let driver = Shared::new(&database(), Form::Set);
        let platform = ManualPlatform::new(at(0));
        let settings = Settings { operator_token: Some("token".to_owned()), ..Settings::default() };
        let api = Api::new(
            SqlStore::new(driver.clone()),
            MemoryRateLimiter::default(),
            platform.clone(),
            settings,
            test_key_secrets(),
        );
        let (account, key, asked) = (String::new(), String::new(), RefCell::default());
        let mut service = Self { driver, platform, api, account, key, asked };
        let account = json!({
            "email": email(0), "api_enabled": true, "digital_bundle": true, "contact_enrichment": true,
        });
        let account = service.operator("create an account", Method::POST, "/accounts", &account);
        service.account = text_of(&account["account"]["id"]);
        let path = format!("/accounts/{}/keys", service.account);
        let key = service.operator("create a key", Method::POST, &path, &json!({ "label": text(0, 200) }));
        service.key = text_of(&key["key"]["key"]);
        let path = format!("/accounts/{}/counties/06037", service.account);
        service.operator("grant a county", Method::PUT, &path, &json!({ "from_date": "2020-01-01" }));
        service
    }

    fn operator(&self, what: &str, method: Method, path: &str, body: &Value) -> Value {
        let head = http::Request::builder().method(method).uri(format!("/operator/v1{path}"));
        self.ask(what, head.header("authorization", "Bearer token"), body)
    }

    fn public(&self, what: &str, method: Method, path: &str, body: &Value) -> Value {
        let head = http::Request::builder().method(method).uri(format!("/api/v1{path}"));
        // The key was used days ago, so that the use is recorded too.
        self.platform.advance(Duration::from_secs(3 * 24 * 60 * 60));
        let head = head.header("idempotency-key", text(self.asked.borrow().len(), 4).repeat(63));
        self.ask(what, head.header("authorization", format!("Bearer {}", self.key)), body)
    }

    /// Asks, expects success, and holds the request to the number of statements.
    fn ask(&self, what: &str, head: http::request::Builder, body: &Value) -> Value {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let (head, ()) = head.header("content-type", "application/json").body(()).unwrap().into_parts();
        let (statements, batches) = (self.driver.statements.get(), self.driver.batches.get());
        let response = block_on(self.api.handle(head, body)).response;
        let statements = self.driver.statements.get() - statements;
        println!("{statements:2} statements in {} batches: {what}", self.driver.batches.get() - batches);
        let status = response.status();
        let answer: Value = serde_json::from_slice(response.body()).unwrap();
        assert_eq!(status, StatusCode::OK, "{what}: {answer}");
        assert!(statements < STATEMENTS_MAX, "{what}: {statements} statements");
        self.asked.borrow_mut().push((what.to_owned(), statements));
        answer
    }

    fn count(&self, sql: &str) -> i64 {
        self.driver.connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A text of that many characters, each but the first four as large as a character can be.
fn text(number: usize, length: usize) -> String {
    format!("{number:04}{}", "\u{20000}".repeat(length - 4))
}

/// The longest email.
fn email(number: usize) -> String {
    let label = "b".repeat(63);
    format!("{number:04}{}@{label}.{label}.{label}.{label}", "a".repeat(60))
}

/// A client as large as it may be.
fn client(number: usize, last_name: &str, settled_on: &str) -> Value {
    json!({
        "external_id": text(number, 200), "first_name": text(number, 200), "last_name": last_name,
        "address_line1": text(number, 300), "address_line2": text(number, 300), "city": text(number, 200),
        "state": "CA", "zip": "62704-1234", "email": email(number), "phone": "+123456789012345",
        "case_type": text(number, 200), "opened_on": "2026-01-01", "settled_on": settled_on, "do_not_mail": true,
    })
}

/// How many of each status an answer has.
fn statuses(answer: &Value) -> Vec<(&str, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for result in answer["results"].as_array().unwrap() {
        *counts.entry(result["status"].as_str().unwrap()).or_default() += 1;
    }
    counts.into_iter().collect()
}

fn post(service: &Service, what: &str, clients: Vec<Value>) -> Value {
    service.public(what, Method::POST, "/clients", &json!({ "clients": clients }))
}

#[test]
fn the_largest_batches_of_clients() {
    let service = Service::new();
    let name = text(1, 200);
    let answer =
        post(&service, "500 new clients", (0..BATCH).map(|number| client(number, &name, "2026-01-02")).collect());
    assert_eq!(statuses(&answer), [("created", 500)]);

    // One of each kind of row that is written, and the rest the kind that takes most: as many
    // statements as a request can have.
    let other = text(2, 200);
    let mut clients: Vec<_> = (0..BATCH).map(|number| client(number, &other, "2026-01-03")).collect();
    clients[0]["last_name"] = json!(name);
    clients[1] = client(BATCH, &name, "2026-01-02");
    let answer = post(&service, "500 clients of every kind", clients.clone());
    assert_eq!(statuses(&answer), [("created", 1), ("updated", 499)]);
    assert_eq!(service.asked.borrow().last().unwrap().1, 17);
    assert_eq!(service.count("select count(*) from client_states"), 499);
    assert_eq!(service.count("select count(*) from settlements where changed_at > begun_at"), 499);

    let answer = post(&service, "the same again", clients.clone());
    assert_eq!(statuses(&answer), [("updated", 500)]);

    let find = format!("/accounts/{}/similar/find", service.account);
    service.operator("compare 501 clients", Method::POST, &find, &Value::Null);
    assert!(service.count("select count(*) from similar_pairs") > 0);
    for client in &mut clients {
        client["city"] = json!("Reno");
    }
    let path = "/clients?explain=true";
    let answer = service.public("500 clients, explained", Method::POST, path, &json!({ "clients": clients }));
    assert!(answer["results"].as_array().unwrap().iter().any(|result| !result["similar"].is_null()));
}

#[test]
fn the_longest_answers_that_are_kept() {
    let service = Service::new();
    // Two people who became one name at one place, each with an id of the greatest length.
    let mut two = [0, 1].map(|number| client(number, &text(1, 200), "2026-01-02"));
    post(&service, "two clients", two.to_vec());
    for field in ["first_name", "last_name", "address_line1"] {
        two[1][field] = two[0][field].clone();
    }
    post(&service, "one name and place", vec![two[1].clone()]);
    let mut somebody = two[0].clone();
    somebody["external_id"] = Value::Null;
    let answer = post(&service, "500 conflicts", vec![somebody; BATCH]);
    assert_eq!(statuses(&answer), [("conflict", 500)]);
    let length = || service.count("select length(cast(body as blob)) from saved_answers");
    assert!(length() > 800_000, "{} bytes", length());

    let wrong = json!({
        "external_id": true, "first_name": 1, "last_name": 1, "address_line1": 1, "address_line2": 1, "city": 1,
        "state": "?", "zip": "1", "email": "?", "phone": "1", "case_type": 1, "opened_on": "?", "settled_on": "?",
        "do_not_mail": "?", "new_settlement": "?",
    });
    let answer = post(&service, "500 clients with every field wrong", vec![wrong; BATCH]);
    assert_eq!(statuses(&answer), [("error", 500)]);
    assert!(length() > 400_000, "{} bytes", length());
}

/// A prospect as large as it may be.
fn prospect(number: usize, fips: &str) -> Value {
    json!({
        "source_id": text(number, 200), "first_name": text(number, 200), "last_name": text(number, 200),
        "address_line1": text(number, 300), "address_line2": text(number, 300), "city": text(number, 200),
        "state": "CA", "zip": "62704-1234", "email": email(number), "phone": "+123456789012345",
        "person_type": "other_nonmotorist", "injury_severity": "suspected_serious", "transported": true,
        "crash_date": "2025-01-01", "crash_time": "12:34", "crash_city": text(number, 200), "crash_state": "CA",
        "crash_county": text(number, 200), "crash_county_fips": fips, "crash_report_number": text(number, 200),
        "manner_of_collision": text(number, 200), "vehicle_year": 2020, "vehicle_make": text(number, 200),
        "vehicle_model": text(number, 200), "vehicle_towed": true, "hit_and_run": true,
    })
}

#[test]
fn the_largest_imports() {
    let service = Service::new();
    let import = |what: &str, prospects: Vec<Value>| {
        service.operator(what, Method::POST, "/prospects", &json!({ "prospects": prospects }))
    };
    let new = (0..BATCH).map(|number| prospect(number, "06037")).collect();
    assert_eq!(statuses(&import("500 new prospects", new)), [("created", 500)]);
    let moved = (1..=BATCH).map(|number| {
        let mut prospect = prospect(number, "06059");
        prospect["city"] = json!(text(number + 1, 200));
        prospect
    });
    assert_eq!(statuses(&import("prospects of every kind", moved.collect())), [("created", 1), ("updated", 499)]);
    assert_eq!(service.count("select count(*) from prospects where crash_county_fips = '06059'"), 500);

    for order in ["oldest&limit=100", "newest"] {
        let page = service.public("prospects", Method::GET, &format!("/prospects?order={order}"), &Value::Null);
        assert!(page["prospects"].is_array());
    }
    let id: String =
        service.driver.connection.query_row("select hex(id) from prospects", [], |row| row.get(0)).unwrap();
    service.operator("erase a prospect", Method::DELETE, &format!("/prospects/{id}"), &Value::Null);
}

#[test]
fn every_other_request() {
    let service = Service::new();
    let name = text(1, 200);
    let clients = (0..101).map(|number| client(number, &name, "2026-01-02")).collect();
    let answer = post(&service, "101 clients", clients);
    let ids: Vec<_> = answer["results"].as_array().unwrap().iter().map(|result| text_of(&result["id"])).collect();

    let get = |what: &str, path: &str| service.public(what, Method::GET, path, &Value::Null);
    get("me", "/me");
    let page = get("clients", "/clients?limit=100");
    assert_eq!(page["clients"].as_array().unwrap().len(), 100);
    let cursor = page["next_cursor"].as_str().unwrap();
    get("clients after a cursor", &format!("/clients?limit=100&cursor={cursor}"));
    let long_id: String = text(7, 200).bytes().map(|byte| format!("%{byte:02X}")).collect();
    let page = get("a client by its id", &format!("/clients?external_id={long_id}&updated_since=2020-01-01T00:00:00Z"));
    assert_eq!(page["clients"].as_array().unwrap().len(), 1);
    let case = client(7, &text(2, 200), "2026-01-05");
    service.public("a case settled", Method::POST, "/cases/settled", &case);

    let none = Value::Null;
    let account = format!("/accounts/{}", service.account);
    let of_account = |rest: &str| format!("{account}{rest}");
    for number in 0..100 {
        service.operator("create an account", Method::POST, "/accounts", &json!({ "email": email(number) }));
    }
    let page = service.operator("accounts", Method::GET, "/accounts?limit=100", &none);
    assert_eq!(page["accounts"].as_array().unwrap().len(), 100);
    service.operator("an account", Method::GET, &account, &none);
    let change = json!({ "email": email(1), "api_enabled": true, "suspended": false, "digital_bundle": true });
    service.operator("change an account", Method::PATCH, &account, &change);
    let login = json!({ "email": email(2), "role": "teammate" });
    let login = service.operator("add a login", Method::POST, &of_account("/logins"), &login);
    let path = format!("/logins/{}", login["login"]["id"].as_str().unwrap());
    service.operator("a login's role", Method::PATCH, &path, &json!({ "role": "view_only" }));
    let keys = service.operator("keys", Method::GET, &of_account("/keys"), &none);
    service.operator("take back a county", Method::DELETE, &of_account("/counties/06037"), &none);
    let page = service.operator("settlements", Method::GET, &of_account("/settlements?limit=100"), &none);
    assert_eq!(page["settlements"].as_array().unwrap().len(), 100);
    let client = of_account(&format!("/clients/{}", ids[7]));
    service.operator("a client", Method::GET, &client, &none);
    service.operator("mail on", Method::POST, &format!("{client}/mail-on"), &none);
    service.operator("erase a client", Method::DELETE, &client, &none);
    // Its external id, its person, and its person with the unit of line 2.
    assert_eq!(service.count("select count(*) from client_tombstones"), 3);
    let path = format!("/keys/{}", keys["keys"][0]["id"].as_str().unwrap());
    service.operator("revoke a key", Method::DELETE, &path, &none);
    service.operator("the log", Method::GET, "/log?limit=100", &none);
    service.operator("settings", Method::GET, "/settings", &none);
}

#[test]
fn an_account_that_moves() {
    let service = Service::new();
    let clients = (0..BATCH).map(|number| client(number, &text(1, 200), "2026-01-02")).collect();
    post(&service, "500 clients", clients);
    let (mut head, mut rows, mut cursor) = (Value::Null, Vec::new(), String::new());
    loop {
        let path = format!("/accounts/{}/export?cursor={cursor}", service.account);
        let page = service.operator("a page of an export", Method::GET, &path, &Value::Null);
        head = if head.is_null() { page["export"]["head"].clone() } else { head };
        rows.extend(page["export"]["rows"].as_array().unwrap().clone());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    // The clients alone, as another account, whose file names a secret very often.
    rows.retain(|row| row[0] == "clients");
    assert_eq!(rows.len(), BATCH);
    let other = "00000000-0000-4000-8000-000000000001";
    head["account"] = json!(other);
    (head["row"][1], head["row"][2]) = (json!(7), json!(email(9)));
    head["key_secrets"] = vec![head["key_secrets"][0].clone(); 1_000].into();
    let digest = TransferDigest::of_head(&head.to_string());
    let digest = rows.iter().fold(digest, |digest, row| digest.and_row(&row.to_string()));
    let begin = json!({ "head": head, "row_count": rows.len(), "digest": digest.to_text() });
    let path = format!("/accounts/{other}/import");
    let mut state = service.operator("the begin of an import", Method::PUT, &path, &begin);
    while state["import"]["is_done"] == false {
        let from = usize::try_from(state["import"]["received_rows"].as_u64().unwrap()).unwrap();
        let rows = json!({ "from": from, "rows": rows[from..] });
        state = service.operator("rows of an import", Method::POST, &path, &rows);
    }
    assert_eq!(service.count("select count(*) from clients"), 1_000);
}
