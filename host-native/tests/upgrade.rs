//! This program opens a database of the first migration with data of all kinds, migrates it and serves
//! it. The data reads as before (docs/operating.md, "Upgrade").
//!
//! `store-sql/tests/data/` holds the database as SQL text, with the answers recorded over it. As long as no
//! user has an older database, regenerate both after a change of the first migration with
//!
//! ```sh
//! cargo test -p matterbook --test native regenerate_the_first_database -- --ignored
//! ```
//!
//! From the first release on, they and the migration never change.

use std::{fs, path::Path, sync::Arc, time::Duration};

use crate::support::{OPERATOR_TOKEN, Place, Serving, text};
use matterbook::{
    database::{Database, QueueLimits},
    key_secret_file::key_secret_file,
};
use matterbook_conformance::wire::{Answer, InProcess, RecordedRequest, Request, Service, says_all_of, send};
use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, MemoryRateLimiter, TEST_KEY_SECRET, test_key_secrets},
    settings::Settings,
    time::Timestamp,
};
use matterbook_store_sql::migrations::{CURRENT_NUMBER, MIGRATIONS};
use rusqlite::Connection;
use serde_json::{Value, json};

const DATABASE: &str = include_str!("../../store-sql/tests/data/first_migration.sql");
const ANSWERS: &str = include_str!("../../store-sql/tests/data/first_migration.json");

type Over = InProcess<Database, MemoryRateLimiter, ManualPlatform>;

/// The first moment of 2025, when the database begins.
const START: Timestamp = Timestamp::from_micros(1_735_689_600_000_000);

fn serve(path: &Path, now: Timestamp, draws: u64) -> Over {
    let database = Database::open(path, QueueLimits::default()).expect("the database opens");
    let settings = Settings { operator_token: Some(OPERATOR_TOKEN.to_owned()), ..Settings::default() };
    let platform = ManualPlatform::after_draws(now, draws);
    let api = Api::new(database, MemoryRateLimiter::default(), platform.clone(), settings, test_key_secrets());
    let runtime = Arc::new(tokio::runtime::Runtime::new().expect("a runtime"));
    InProcess::new(api, platform, ManualPlatform::advance, runtime, OPERATOR_TOKEN).expect("a service")
}

/// The first database, as a file.
fn restore(place: &Place) {
    let connection = Connection::open(place.database()).expect("a new file");
    connection.execute_batch(DATABASE).expect("the text of the first database");
    fs::write(key_secret_file(&place.database()), TEST_KEY_SECRET).expect("its key secret");
}

#[test]
fn a_database_of_the_first_migration_reads_as_it_did() {
    let place = Place::new();
    restore(&place);
    let kept: Value = serde_json::from_str(ANSWERS).expect("JSON");
    for moment in kept["moments"].as_array().expect("moments") {
        let service = serve(&place.database(), Timestamp::from_micros(moment["now"].as_i64().expect("a time")), 1_000);
        for asked in moment["asked"].as_array().expect("questions") {
            let asked = RecordedRequest(asked);
            asked.holds(&service, &asked.request()).unwrap_or_else(|failure| panic!("{failure}"));
        }
    }
    let connection = Connection::open(place.database()).expect("a connection");
    let number: Option<u32> = connection.query_row(CURRENT_NUMBER, [], |row| row.get(0)).expect("a number");
    assert_eq!(number, MIGRATIONS.last().map(|last| last.number));
    let check: String = connection.query_row("pragma integrity_check", [], |row| row.get(0)).expect("a check");
    assert_eq!(check, "ok");
}

#[test]
fn what_was_known_before_an_upgrade_is_known_after_it() {
    let place = Place::new();
    restore(&place);
    let kept: Value = serde_json::from_str(ANSWERS).expect("JSON");
    let key = text(&kept["key"]);
    let service = serve(&place.database(), START.plus_seconds(30 * 86_400), 1_000);
    let call = |method: &str, target: &str, body: Value| {
        let request = Request::new(method, target).bearer(&key);
        let request = if body.is_null() { request } else { request.json(&body) };
        send(&service, &request).and_then(Answer::ok).expect("a success").json
    };
    let before = call("GET", "/api/v1/clients?limit=100", Value::Null);
    let records = before["clients"].as_array().expect("clients").clone();
    // Each is found by what identifies it, and nothing of it changes.
    let found: Vec<&Value> =
        records.iter().filter(|record| !record["external_id"].is_null() || !record["zip"].is_null()).collect();
    let posted = call("POST", "/api/v1/clients", json!({ "clients": found }));
    for (result, record) in posted["results"].as_array().expect("results").iter().zip(&found) {
        assert_eq!((&result["status"], &result["id"]), (&json!("updated"), &record["id"]), "{record}");
    }
    service.elapse(Duration::from_secs(61));
    assert_eq!(call("GET", "/api/v1/clients?limit=100", Value::Null), before, "posting what is known changes nothing");
    // Somebody who was erased is new, and keeps what was asked for.
    let erased = json!({"clients": [{"external_id": "gone-1", "last_name": "Vanished"}]});
    let made = call("POST", "/api/v1/clients", erased);
    assert_eq!(made["results"][0]["status"], "created");
    service.elapse(Duration::from_secs(61));
    let made = call("GET", "/api/v1/clients?external_id=gone-1", Value::Null);
    assert_eq!(made["clients"][0]["do_not_mail"], true);
    let import =
        json!({"prospects": [{"source_id": "s-erased", "crash_county_fips": "06037", "crash_date": "2024-12-01"}]});
    let request = Request::new("POST", "/operator/v1/prospects").bearer(OPERATOR_TOKEN).json(&import);
    let imported = send(&service, &request).and_then(Answer::ok).expect("a success");
    assert_eq!(imported.json["results"][0]["status"], "error", "an erased prospect stays so");
}

#[test]
fn the_program_itself_serves_a_database_of_the_first_migration() {
    let place = Place::new();
    restore(&place);
    let kept: Value = serde_json::from_str(ANSWERS).expect("JSON");
    let serving = Serving::start(&place.database());
    let (key, expected) = (text(&kept["key"]), &kept["moments"][1]["asked"][1]["answer"]["clients"]);
    assert!(says_all_of(&Value::Array(serving.clients(&key)), expected));
    assert_eq!(serving.get(&text(&kept["revoked_key"]), "/api/v1/me").0, 401);
    assert_eq!(serving.get(&text(&kept["suspended_key"]), "/api/v1/me").0, 403);
}

/// The kept text and the migration say the same; where they do not, either is out of date.
#[test]
fn the_first_database_has_the_schema_of_the_first_migration() {
    let schema = |text: &str| -> Vec<(String, String)> {
        let connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch(text).expect("a schema");
        let sql = "select name, sql from sqlite_schema
            where sql is not null and tbl_name <> 'schema_migrations' order by name";
        let mut statement = connection.prepare(sql).expect("a query");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.collect::<Result<_, _>>().expect("rows")
    };
    assert_eq!(
        schema(DATABASE),
        schema(MIGRATIONS[0].sql),
        "the first migration changed: add one instead, or, before the first release, make the database anew"
    );
}

/// Writes the first database and what is answered over it.
#[test]
#[ignore = "it writes what the others are held to"]
fn regenerate_the_first_database() {
    assert_eq!(MIGRATIONS.len(), 1, "a database of the first migration cannot be made by a later program");
    let place = Place::new();
    let service = serve(&place.database(), START, 0);
    let operate = |method: &str, path: &str, body: Value| {
        advance_a_little(&service);
        let request = Request::new(method, format!("/operator/v1{path}")).bearer(OPERATOR_TOKEN);
        let request = request.header("Matterbook-Actor", "First Operator");
        let request = if body.is_null() { request } else { request.json(&body) };
        send(&service, &request).and_then(Answer::ok).expect("a success").json
    };
    let open = |email: &str, flags: Value| {
        let mut account = flags;
        account["email"] = json!(email);
        let account = operate("POST", "/accounts", account);
        let id = text(&account["account"]["id"]);
        let key = operate("POST", &format!("/accounts/{id}/keys"), json!({"label": "case system"}));
        (id, text(&key["key"]["key"]), text(&key["key"]["id"]))
    };
    let all = json!({"api_enabled": true, "digital_bundle": true, "contact_enrichment": true});
    let (account, key, _) = open("owner@first.example", all);
    let (suspended, suspended_key, _) = open("owner@second.example", json!({"api_enabled": true}));
    operate("PATCH", &format!("/accounts/{suspended}"), json!({"suspended": true}));
    open("owner@third.example", json!({}));
    let second = operate("POST", &format!("/accounts/{account}/keys"), json!({}));
    let revoked_key = text(&second["key"]["key"]);
    operate("DELETE", &format!("/keys/{}", text(&second["key"]["id"])), Value::Null);
    for role in ["teammate", "view_only"] {
        let login = json!({"email": format!("{role}@first.example"), "role": role});
        operate("POST", &format!("/accounts/{account}/logins"), login);
    }
    for (fips, date) in [("06037", "2024-01-01"), ("17031", "2024-06-15"), ("48113", "2024-01-01")] {
        operate("PUT", &format!("/accounts/{account}/counties/{fips}"), json!({"from_date": date}));
    }
    operate("DELETE", &format!("/accounts/{account}/counties/48113"), Value::Null);
    let prospect = |number: u32, fips: &str| {
        json!({"source_id": format!("s-{number}"), "first_name": "Pat", "last_name": format!("Sample{number}"),
            "address_line1": format!("{number} Sample St"), "city": "Springfield", "state": "IL", "zip": "62704",
            "email": "pat@sample.example", "phone": "2175550123", "person_type": "driver",
            "injury_severity": "possible", "transported": true, "crash_date": "2024-12-01", "crash_time": "08:15:00",
            "crash_county_fips": fips, "crash_report_number": "R-1", "vehicle_year": 2019,
            "vehicle_make": "Examplar", "vehicle_towed": false, "hit_and_run": true})
    };
    let sparse = json!({"source_id": "s-erased", "crash_county_fips": "06037", "crash_date": "2024-12-01"});
    let imported = operate(
        "POST",
        "/prospects",
        json!({"prospects": [prospect(1, "06037"), prospect(2, "17031"), prospect(3, "48113"), sparse]}),
    );
    operate("DELETE", &format!("/prospects/{}", text(&imported["results"][3]["id"])), Value::Null);
    operate(
        "POST",
        "/prospects",
        json!({"prospects": [{"source_id": "s-1", "crash_city": "Corrected",
        "crash_county_fips": "06037", "crash_date": "2024-12-01"}]}),
    );

    let post = |path: &str, idempotency_key: Option<&str>, body: Value| {
        advance_a_little(&service);
        let request = Request::new("POST", format!("/api/v1{path}")).bearer(&key).json(&body);
        let request = match idempotency_key {
            Some(idempotency_key) => request.header("Idempotency-Key", idempotency_key),
            None => request,
        };
        send(&service, &request).and_then(Answer::ok).expect("a success").json
    };
    let full = json!({"external_id": "case-1", "first_name": "Zoë", "last_name": "O’Sample-Núñez",
        "address_line1": "12 North Elm Street", "address_line2": "Apt 4\nrear", "city": "Springfield",
        "state": "Illinois", "zip": "62704-1234", "email": "Zoe@EXAMPLE.com", "phone": "(217) 555-0123 x9",
        "case_type": "Auto accident", "opened_on": "Mar 3, 2024", "settled_on": "2024-11-01", "do_not_mail": "yes"});
    let saved = json!({"clients": [full, {"first_name": "राम", "last_name": "शर्मा"},
        {"external_id": "gone-1", "last_name": "Vanished", "do_not_mail": true, "settled_on": "2024-05-05"},
        {"first_name": "Ana", "last_name": "Match", "address_line1": "7 E Oak Ave", "zip": "02134"},
        {"external_id": "quote'd", "last_name": "D\"Or \\ back"}]});
    let results = post("/clients", Some("first-batch"), saved.clone());
    let id = |index: usize| text(&results["results"][index]["id"]);
    for number in 0..8 {
        post("/clients", None, json!({"clients": [{"external_id": format!("n-{number}"), "last_name": "Numbered"}]}));
    }
    post("/cases/settled", None, json!({"external_id": "n-1", "settled_on": "2024-12-01"}));
    post("/cases/settled", None, json!({"external_id": "n-1", "settled_on": "2024-12-20"}));
    post("/cases/settled", None, json!({"external_id": "n-2", "settled_on": "2024-12-02"}));
    let correction = json!({"external_id": "n-2", "settled_on": "2024-12-03", "new_settlement": false});
    post("/cases/settled", Some("correction"), correction);
    operate("POST", &format!("/accounts/{account}/clients/{}/mail-on", id(0)), Value::Null);
    operate("DELETE", &format!("/accounts/{account}/clients/{}", id(2)), Value::Null);
    service.elapse(Duration::from_secs(7_200));
    // Changed within the minute, so that the view shows how they were.
    post(
        "/clients",
        None,
        json!({"clients": [{"external_id": "case-1", "city": "Peoria", "phone": "3095550100"},
        {"external_id": "n-3", "first_name": "Nora"}, {"external_id": "newest", "last_name": "Newcomer"}]}),
    );
    service.elapse(Duration::from_secs(20));

    let get = |target: &str, token: &str| json!({"method": "GET", "target": target, "token": token});
    let page = |path: &str, token: &str| {
        let first = send(&service, &Request::new("GET", path).bearer(token)).and_then(Answer::ok).expect("a page");
        let cursor = first.text("/next_cursor").expect("a cursor");
        get(&format!("{path}&cursor={cursor}"), token)
    };
    let account_path = format!("/operator/v1/accounts/{account}");
    let questions = || {
        let mut asked = vec![
            get("/api/v1/me", &key),
            get("/api/v1/clients?limit=100", &key),
            page("/api/v1/clients?limit=3", &key),
            page("/api/v1/clients?limit=1&updated_since=2025-01-01T00:00:00Z", &key),
            get("/api/v1/clients?external_id=n-1", &key),
            get("/api/v1/prospects?limit=100", &key),
            page("/api/v1/prospects?limit=1", &key),
            get("/api/v1/prospects?order=newest", &key),
            get("/api/v1/me", &suspended_key),
            get("/api/v1/me", &revoked_key),
            get("/operator/v1/accounts?limit=100", OPERATOR_TOKEN),
            get(&account_path, OPERATOR_TOKEN),
            get(&format!("{account_path}/keys"), OPERATOR_TOKEN),
            get(&format!("{account_path}/settlements"), OPERATOR_TOKEN),
            page(&format!("{account_path}/settlements?limit=1"), OPERATOR_TOKEN),
            get(&format!("{account_path}/clients/{}", id(0)), OPERATOR_TOKEN),
            get(&format!("{account_path}/clients/{}", id(2)), OPERATOR_TOKEN),
            get("/operator/v1/log?limit=100", OPERATOR_TOKEN),
        ];
        let replay = json!({"method": "POST", "target": "/api/v1/cases/settled", "token": key,
            "idempotency_key": "correction",
            "body": {"external_id": "n-2", "settled_on": "2024-12-03", "new_settlement": false}});
        asked.push(replay);
        asked
    };
    // Opening the service reads the settings with these keys, so from here on each key was used within the
    // day and its stored last use does not change.
    let mut moments = Vec::new();
    for wait in [0, 3_600] {
        service.elapse(Duration::from_secs(wait));
        let mut asked = questions();
        for asked in &mut asked {
            let answer = send(&service, &RecordedRequest(asked).request()).expect("an answer");
            asked["status"] = json!(answer.status);
            asked["answer"] = answer.json;
        }
        moments.push(json!({"now": START.micros() + i64::try_from((service.clock() - Duration::from_micros(u64::try_from(START.micros()).expect("after 1970"))).as_micros()).expect("a time"), "asked": asked}));
    }
    let kept = json!({"key": key, "revoked_key": revoked_key, "suspended_key": suspended_key, "moments": moments});
    drop(service);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../store-sql/tests/data");
    let connection = Connection::open(place.database()).expect("a connection");
    fs::write(data.join("first_migration.sql"), dump(&connection)).expect("written");
    fs::write(data.join("first_migration.json"), format!("{kept:#}\n")).expect("written");
}

fn advance_a_little(service: &Over) {
    service.elapse(Duration::from_millis(1_500));
}

/// A database as SQL text: tables, rows, then what watches them.
fn dump(connection: &Connection) -> String {
    let texts = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("rows")
    };
    let schema = |kinds: &str| {
        texts(&format!(
            "select sql || ';' from sqlite_schema where sql is not null and type in ({kinds}) order by rowid"
        ))
    };
    let mut lines = vec![
        "-- A database as the first migration made it, with made-up data. See host-native/tests/upgrade.rs.".to_owned(),
    ];
    lines.extend(schema("'table'"));
    for table in texts("select name from sqlite_schema where type = 'table' order by rowid") {
        let columns = texts(&format!("select name from pragma_table_info('{table}') order by cid"));
        let quoted: Vec<String> = columns.iter().map(|column| format!("quote({column})")).collect();
        let names = columns.join(", ");
        let sql = format!(
            "select 'insert into {table} ({names}) values (' || concat_ws(', ', {}) || ');' from {table}",
            quoted.join(", ")
        );
        lines.extend(texts(&sql));
    }
    lines.extend(schema("'index', 'trigger'"));
    lines.join("\n") + "\n"
}
