//! What a batch of 500 new clients takes through the whole service but the socket, against the
//! same rows inserted by a bare loop over rusqlite: same process, same durability, taking turns.
//!
//! `cargo bench -p matterbook --bench new_clients` prints the medians.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use http::{Method, Request};
use matterbook::{
    database::{Database, QueueLimits},
    gate::MemoryGate,
    platform::SystemPlatform,
    service::NativeApi,
};
use matterbook_core::{api::Api, platform::Platform as _, settings::Settings};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

const BATCHES: usize = 200;
const ROWS: usize = 500;
const OPERATOR_TOKEN: &str = "operator-token-of-the-benchmark";

fn main() {
    let directory = tempfile::tempdir().expect("a directory");
    let runtime = Runtime::new().expect("a runtime");
    let service = Service::open(&directory.path().join("service.db"), &runtime);
    let mut bare = Bare::open(&directory.path().join("bare.db"));
    let (mut by_service, mut by_bare) = (Vec::new(), Vec::new());
    for batch in 0..BATCHES {
        let rows: Vec<Value> = (0..ROWS).map(|row| client(batch, row)).collect();
        let body = json!({"clients": rows}).to_string();
        by_service.push(timed(|| service.post(&body)));
        by_bare.push(timed(|| bare.insert(&rows)));
    }
    let (service, bare) = (median(by_service), median(by_bare));
    println!("a batch of {ROWS} new clients, median of {BATCHES}:");
    println!("  through the service   {:>7.2} ms", service.as_secs_f64() * 1e3);
    println!("  bare rusqlite inserts {:>7.2} ms", bare.as_secs_f64() * 1e3);
    println!("  ratio                 {:>7.2}", service.as_secs_f64() / bare.as_secs_f64());
}

/// A client as firms have them: spelled out, formatted, to be normalized.
fn client(batch: usize, row: usize) -> Value {
    json!({
        "external_id": format!("case-{batch}-{row}"),
        "first_name": format!("Ana{row}"),
        "last_name": format!("Specimenez{batch}"),
        "address_line1": format!("{} North Main Street Apt {row}", batch * 7 + 1),
        "city": "Springfield",
        "state": "illinois",
        "zip": 62704,
        "email": format!("ana{row}.{batch}@EXAMPLE.com"),
        "phone": format!("(217) 555-{:04}", row),
        "case_type": "Auto",
        "opened_on": "Jan 5, 2026",
    })
}

fn timed(work: impl FnOnce()) -> Duration {
    let began = Instant::now();
    work();
    began.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

struct Service<'a> {
    api: NativeApi,
    runtime: &'a Runtime,
    key: String,
}

impl<'a> Service<'a> {
    fn open(file: &Path, runtime: &'a Runtime) -> Self {
        let settings = Settings {
            operator_token: Some(OPERATOR_TOKEN.to_owned()),
            rate_limit_per_minute: 0,
            ..Settings::default()
        };
        let database = Database::open(file, QueueLimits::default()).expect("a new database");
        let api = Api::new(database, MemoryGate::default(), SystemPlatform::default(), settings);
        let mut service = Self { api, runtime, key: String::new() };
        let owner = json!({"email": "owner@example.com", "api_enabled": true}).to_string();
        let account = service.send(OPERATOR_TOKEN, "/operator/v1/accounts", &owner);
        let keys = format!("/operator/v1/accounts/{}/keys", account["account"]["id"].as_str().expect("an id"));
        let key = service.send(OPERATOR_TOKEN, &keys, "{}");
        service.key = key["key"]["key"].as_str().expect("a key").to_owned();
        service
    }

    fn post(&self, body: &str) {
        let answer = self.send(&self.key, "/api/v1/clients", body);
        assert!(answer["results"].as_array().is_some_and(|all| all.iter().all(|one| one["status"] == "created")));
    }

    fn send(&self, token: &str, path: &str, body: &str) -> Value {
        let request =
            Request::builder().method(Method::POST).uri(path).header("authorization", format!("Bearer {token}"));
        let (head, body) = request.body(body.as_bytes().to_vec()).expect("a request").into_parts();
        let response = self.runtime.block_on(self.api.handle(head, body)).response;
        assert_eq!(response.status(), 200);
        serde_json::from_slice(response.body()).expect("JSON")
    }
}

/// A table with the columns and the indexes that the job needs, and nothing else.
struct Bare(Connection);

impl Bare {
    fn open(file: &Path) -> Self {
        let connection = Connection::open(file).expect("a new database");
        connection
            .execute_batch(
                "pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 8192;
                create table clients (id integer primary key, account integer, external_id text, first_name text,
                    last_name text, address_line1 text, city text, state text, zip text, email text, phone text,
                    case_type text, opened_on text, person integer, updated_at integer) strict;
                create unique index clients_by_external_id on clients (account, external_id);
                create index clients_by_person on clients (account, person);
                create index clients_by_update on clients (account, updated_at);",
            )
            .expect("a schema");
        Self(connection)
    }

    fn insert(&mut self, rows: &[Value]) {
        let transaction = self.0.transaction().expect("a transaction");
        {
            let mut insert = transaction
                .prepare_cached(
                    "insert into clients values (null, 1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                )
                .expect("a statement");
            let now = SystemPlatform::default().now().micros();
            for (number, row) in (0_i64..).zip(rows) {
                let text = |name: &str| row[name].as_str();
                // Hashes fall anywhere in their index.
                let person = (now + number).wrapping_mul(0x1E37_79B9_7F4A_7C15);
                insert
                    .execute(params![
                        text("external_id"),
                        text("first_name"),
                        text("last_name"),
                        text("address_line1"),
                        text("city"),
                        "IL",
                        "62704",
                        text("email"),
                        text("phone"),
                        text("case_type"),
                        "2026-01-05",
                        person,
                        now,
                    ])
                    .expect("a new row");
            }
        }
        transaction.commit().expect("a commit");
    }
}
