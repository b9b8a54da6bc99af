//! The bare loops save what the service saves, and a filled account is as posts would have left it:
//! otherwise they would be compared over different work.

use std::{net::SocketAddr, path::Path};

use matterbook::{Service, http::Limits, settings::NativeSettings};
use matterbook_bench::{
    Outcome,
    clients::{Bodies, Work},
    fill::{fill_clients, fill_prospects},
    floor::{BareBatch, Tuning, Way, client_rows, open, post_batches},
    load::Channel,
    prospects::{OPEN_COUNTIES, county_fips},
    service::Account,
};
use matterbook_core::time::Timestamp;
use rusqlite::{Connection, types::Value};
use serde_json::{Value as Json, json};

const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-tests";

/// Does something while a service serves the file.
fn serving<T>(database: &Path, work: impl FnOnce(SocketAddr) -> Outcome<T>) -> Outcome<T> {
    let settings = NativeSettings::read(|name| match name {
        "MATTERBOOK_DB" => database.to_str().map(str::to_owned),
        "MATTERBOOK_LISTEN" => Some("127.0.0.1:0".to_owned()),
        "MATTERBOOK_OPERATOR_TOKEN" => Some(OPERATOR_TOKEN.to_owned()),
        "MATTERBOOK_RATE_LIMIT_PER_MINUTE" => Some("0".to_owned()),
        _ => None,
    })?;
    let runtime = tokio::runtime::Runtime::new()?;
    let service = runtime.block_on(Service::start(&settings, Limits::default()))?;
    let outcome = work(service.address());
    assert!(runtime.block_on(service.stop()), "the service stops");
    outcome
}

fn account(address: SocketAddr) -> Outcome<Account> {
    let text = |value: &Json| value.as_str().map(str::to_owned).expect("a text");
    let mut channel = Channel::open(address)?;
    let owner = json!({"email": "owner@firm.example", "api_enabled": true, "digital_bundle": true});
    let id = text(&channel.ask("POST", "/operator/v1/accounts", OPERATOR_TOKEN, &owner)?["account"]["id"]);
    let key = channel.ask("POST", &format!("/operator/v1/accounts/{id}/keys"), OPERATOR_TOKEN, &json!({}))?;
    for county in OPEN_COUNTIES {
        let path = format!("/operator/v1/accounts/{id}/counties/{}", county_fips(county));
        channel.ask("PUT", &path, OPERATOR_TOKEN, &json!({"from_date": "2024-01-01"}))?;
    }
    Ok(Account { id, key: text(&key["key"]["key"]), key_id: text(&key["key"]["id"]) })
}

/// How many results of a post have a status.
fn post(address: SocketAddr, account: &Account, bodies: Bodies, number: usize, status: &str) -> Outcome<usize> {
    let body: Json = serde_json::from_slice(&bodies.body(number))?;
    let answer = Channel::open(address)?.ask("POST", "/api/v1/clients", &account.key, &body)?;
    let results = answer["results"].as_array().expect("results");
    Ok(results.iter().filter(|result| result["status"] == status).count())
}

/// Every row of a table in an order that does not depend on ids or times, without those columns.
fn rows(connection: &Connection, table: &str, without: &[&str]) -> Outcome<Vec<Vec<Value>>> {
    let mut columns = connection.prepare(&format!("select name from pragma_table_info('{table}')"))?;
    let columns: Vec<String> = columns.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let columns: Vec<_> = columns.iter().map(String::as_str).filter(|column| !without.contains(column)).collect();
    let columns = columns.join(", ");
    let mut select = connection.prepare(&format!("select {columns} from {table} order by {columns}"))?;
    let width = select.column_count();
    let found = select.query_map([], |row| (0..width).map(|column| row.get(column)).collect())?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The columns that hold who and when, and those of the history, which the bare loops do not keep.
const CLIENT_IDS: [&str; 8] = [
    "account_id",
    "id",
    "created_at",
    "updated_at",
    "request_id",
    "matched_by",
    "previous_period",
    "previous_updated_at",
];
const SETTLEMENT_IDS: [&str; 5] = ["account_id", "client_id", "id", "begun_at", "changed_at"];

#[test]
fn the_bare_loop_saves_the_rows_that_the_service_saves() -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let (service, bare) = (directory.path().join("service.db"), directory.path().join("bare.db"));
    let posts = [
        (Bodies::Of(Work::First), Way::Insert, "created"),
        (Bodies::Of(Work::Changed), Way::Change, "updated"),
        (Bodies::Of(Work::Changed), Way::LookUp, "updated"),
    ];
    serving(&service, |address| {
        let account = account(address)?;
        for (bodies, _, status) in posts {
            assert_eq!(post(address, &account, bodies, 3, status)?, 500, "{bodies:?}");
        }
        Ok(())
    })?;
    let loops = open(&bare, Tuning::Plain)?;
    for (at, (bodies, way, _)) in (1..).zip(posts) {
        let at = Timestamp::from_micros(at);
        let batch = BareBatch { account: 1, at, rows: client_rows(&bodies.body(3), at)? };
        post_batches(&loops, &[batch], way)?;
    }
    let service = open(&service, Tuning::Plain)?;
    let [saved, expected] = [&loops, &service].map(|database| rows(database, "clients", &CLIENT_IDS));
    assert_eq!(saved?, expected?);
    Ok(())
}

#[test]
fn a_sync_finds_the_known_and_adds_the_others() -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    serving(&directory.path().join("service.db"), |address| {
        let account = account(address)?;
        assert_eq!(post(address, &account, Bodies::Of(Work::First), 0, "created")?, 500);
        let sync = Bodies::Sync { known: 500 };
        assert_eq!(post(address, &account, sync, 0, "updated")?, 150);
        assert_eq!(post(address, &account, sync, 1, "created")?, 350);
        Ok(())
    })
}

#[test]
fn a_filled_account_is_as_posts_leave_it() -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let [filled, posted] = ["filled.db", "posted.db"].map(|name| directory.path().join(name));
    let filled_account = serving(&filled, account)?;
    fill_clients(&filled, std::slice::from_ref(&filled_account), 1_000)?;
    serving(&posted, |address| {
        let account = account(address)?;
        for number in 0..2 {
            assert_eq!(post(address, &account, Bodies::Of(Work::First), number, "created")?, 500);
        }
        Ok(())
    })?;
    let [ours, theirs] = [&filled, &posted].map(|file| open(file, Tuning::Plain));
    let (ours, theirs) = (ours?, theirs?);
    for (table, without) in [("clients", &CLIENT_IDS[..]), ("settlements", &SETTLEMENT_IDS)] {
        let (ours, theirs) = (rows(&ours, table, without)?, rows(&theirs, table, without)?);
        assert!(!ours.is_empty() && ours == theirs, "{table}");
    }
    // It is listed at once, and the same clients change nothing.
    serving(&filled, |address| {
        let mut channel = Channel::open(address)?;
        let page = channel.ask("GET", "/api/v1/clients?limit=100", &filled_account.key, &Json::Null)?;
        assert_eq!(page["clients"].as_array().map(Vec::len), Some(100));
        assert_eq!(post(address, &filled_account, Bodies::Of(Work::First), 1, "updated")?, 500);
        Ok(())
    })?;
    let changed = "select count(*) from clients where updated_at > created_at";
    assert_eq!(ours.query_row(changed, [], |row| row.get::<_, i64>(0))?, 0);
    Ok(())
}

#[test]
fn filled_prospects_are_listed() -> Outcome<()> {
    let directory = tempfile::tempdir()?;
    let database = directory.path().join("service.db");
    let account = serving(&database, account)?;
    fill_prospects(&database, 10_000)?;
    serving(&database, |address| {
        for path in ["/api/v1/prospects?limit=100", "/api/v1/prospects?order=newest&limit=100"] {
            let page = Channel::open(address)?.ask("GET", path, &account.key, &Json::Null)?;
            let prospects = page["prospects"].as_array().expect("prospects");
            assert_eq!(prospects.len(), 100, "{path}");
            let open = |fips: &Json| OPEN_COUNTIES.iter().any(|county| *fips == county_fips(*county));
            assert!(prospects.iter().all(|prospect| open(&prospect["crash_county_fips"])), "{path}");
        }
        Ok(())
    })
}
