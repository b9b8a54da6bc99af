//! Each account in a Durable Object of its own (the profile `objects`): what its requests ask of the directory that all
//! accounts share, and what happens where one of the two does not have what the other has.

use std::fs;

use matterbook_conformance::wire::{Answer, Firm, Operator, Request, Service as _, send};
use matterbook_core::store::TransferDigest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{self, Served};

const SETTINGS: [(&str, &str); 2] = [("MATTERBOOK_PROFILE", "objects"), ("MATTERBOOK_CLIENT_DELAY_SECONDS", "0")];

fn serve(state: &TempDir) -> Served {
    Served::start(state.path(), &[SETTINGS.as_slice(), &[("MATTERBOOK_TEST_ALARM_SECONDS", "2")]].concat())
}

/// Serves with an object's usual alarm, an hour later.
fn serve_without_alarm(state: &TempDir) -> Served {
    Served::start(state.path(), &SETTINGS)
}

fn object_file(state: &TempDir) -> std::path::PathBuf {
    let mut files = support::object_files(state.path());
    assert_eq!(files.len(), 1, "one object");
    files.remove(0)
}

#[test]
fn requests_with_a_key_ask_the_directory_nothing_but_for_prospects() {
    let state = support::state();
    let served = serve(&state);
    let firm = Firm::with(&served.http, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
    let round_trips = |answer: &Answer| served.line_of(answer)["round_trips"].clone();
    for path in ["/me", "/clients"] {
        let answer = firm.get(path).and_then(Answer::ok).expect("an answer");
        assert_eq!(round_trips(&answer), json!(0), "{path}");
    }
    let posted = firm.post_clients(&[json!({"last_name": "Ray"})]).expect("an answer");
    assert_eq!(round_trips(&posted), json!(0), "a post");
    let prospects = firm.get("/prospects").and_then(Answer::ok).expect("an answer");
    assert_eq!(round_trips(&prospects), json!(1), "the page of prospects");
    assert_eq!(served.count("select count(*) from clients"), 0, "the directory has no clients");
    served.stop();
}

/// The runtime of this machine gives no name to an object that its alarm starts.
#[test]
fn an_object_that_its_alarm_starts_after_a_restart_knows_its_account() {
    let state = support::state();
    let settings = [SETTINGS.as_slice(), &[("MATTERBOOK_TEST_ALARM_SECONDS", "6")]].concat();
    let served = Served::start(state.path(), &settings);
    let firm = Firm::with(&served.http, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
    firm.post_clients(&[json!({"last_name": "Ray"})]).expect("an answer");
    let (key, account) = (firm.key.clone(), firm.account.clone());
    served.stop();

    let served = Served::start(state.path(), &settings);
    // The alarm tells the directory when the account was changed last.
    let told = "select count(*) from accounts where last_commit_at > 0";
    support::soon("alarm", || (served.count(told) == 1).then_some(()));
    let firm = Firm { key, account, ..Firm::open(&served.http).expect("a firm") };
    firm.grant("06037", "2026-01-01").and_then(Answer::ok).expect("a change");
    assert_eq!(served.count("select count(*) from county_grants"), 1, "the directory has it");
    served.stop();
}

#[test]
fn a_page_of_prospects_is_of_the_counties_that_the_object_has() {
    let state = support::state();
    let settings = [SETTINGS.as_slice(), &[("MATTERBOOK_PROSPECT_DELAY_SECONDS", "0")]].concat();
    let served = Served::start(state.path(), &settings);
    let firm = Firm::with(&served.http, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
    firm.grant("06037", "2026-01-01").and_then(Answer::ok).expect("a county");
    let prospect = |id: &str, fips: &str| json!({"source_id": id, "crash_date": "2026-02-01", "crash_county_fips": fips, "last_name": "Sampleton"});
    firm.operator().import(&[prospect("1", "06037"), prospect("2", "17031")]).expect("they are imported");
    // A copy of a county that was taken back since.
    let lagging = "insert into county_grants select id, '17031', '2026-01-01' from accounts";
    served.changeable_database().execute(lagging, []).expect("a further county");
    let shown = firm.walk_prospects("").expect("a page");
    let counties: Vec<_> = shown.iter().map(|prospect| prospect["crash_county_fips"].clone()).collect();
    assert_eq!(counties, ["06037"]);
    served.stop();
}

#[test]
fn an_account_of_a_jurisdiction_has_its_object_there() {
    let state = support::state();
    let settings = [SETTINGS.as_slice(), &[("MATTERBOOK_TEST_JURISDICTIONS", "on")]].concat();
    let served = Served::start(state.path(), &settings);
    let places = || -> Vec<String> {
        served.worker.log().iter().filter_map(|line| line.strip_prefix("an object in ").map(str::to_owned)).collect()
    };
    let firm = Firm::with(&served.http, &json!({"api_enabled": true})).expect("a firm");
    firm.create(&json!({"last_name": "Ray"})).expect("a client");
    let mut keys = Vec::new();
    for name in ["eu", "us"] {
        let firm = Firm::with(&served.http, &json!({"api_enabled": true, "jurisdiction": name})).expect("a firm");
        firm.create(&json!({"last_name": "Ray"})).expect("a client");
        let shown = firm.operator().call("GET", &firm.path("")).and_then(Answer::ok).expect("the account");
        assert_eq!(shown.json["account"]["jurisdiction"], json!(name));
        // Whether it can be kept there, its key, the client, and the account shown.
        let asked = || places().iter().filter(|place| *place == name).count();
        support::soon("the objects that were asked", || (asked() == 4).then_some(()));
        keys.push(firm.key);
    }
    assert_eq!(places().len(), 8, "none for the firm of no jurisdiction");
    served.stop();
    // As accounts that came from elsewhere: without jurisdictions all objects are in one place.
    let served = serve_without_alarm(&state);
    for key in keys {
        let me = Request::new("GET", "/api/v1/me").bearer(&key);
        send(&served.http, &me).and_then(Answer::ok).expect("the account goes on");
    }
    served.stop();
}

#[test]
fn a_forged_key_makes_no_object() {
    let state = support::state();
    let served = serve(&state);
    let firm = Firm::open(&served.http).expect("a firm");
    let (rest, last) = firm.key.split_at(firm.key.len() - 1);
    let forged = format!("{rest}{}", if last == "A" { "E" } else { "A" });
    let me = Request::new("GET", "/api/v1/me").bearer(&forged);
    send(&served.http, &me).and_then(|answer| answer.expect_status(401).map(|_| ())).expect("it is refused");
    served.stop();
    assert_eq!(support::object_files(state.path()).len(), 1, "that of the firm alone");
}

#[test]
fn an_account_whose_object_is_lost_goes_on_with_what_the_directory_has() {
    let state = support::state();
    let served = serve(&state);
    let firm = Firm::open(&served.http).expect("a firm");
    firm.create(&json!({"last_name": "Ray"})).expect("a client");
    let (account, key) = (firm.account.clone(), firm.key.clone());
    served.stop();
    let object = object_file(&state);
    for end in ["", "-wal", "-shm"] {
        let file = format!("{}{end}", object.display());
        assert!(fs::remove_file(file).is_ok() || !end.is_empty(), "the object is gone");
    }
    let served = serve(&state);
    let me = Request::new("GET", "/api/v1/me").bearer(&key);
    let me = send(&served.http, &me).and_then(Answer::ok).expect("the key is known");
    assert_eq!(me.json["account"]["id"], json!(account));
    let clients = Request::new("GET", "/api/v1/clients").bearer(&key);
    let clients = send(&served.http, &clients).and_then(Answer::ok).expect("a page");
    assert_eq!(clients.json["clients"], json!([]), "its clients were in the object alone");
    served.stop();
}

#[test]
fn an_account_that_the_directory_has_lost_is_served_and_copied_again() {
    let state = support::state();
    let served = serve(&state);
    let firm = Firm::open(&served.http).expect("a firm");
    let client = firm.create(&json!({"last_name": "Ray"})).expect("a client");
    let (account, key) = (firm.account.clone(), firm.key.clone());
    served.stop();
    let lost = "pragma foreign_keys = off; delete from api_keys; delete from logins; delete from accounts;";
    support::change(&support::database_file(state.path()), lost);
    let served = serve(&state);
    let show = Request::new("GET", format!("/api/v1/clients/{client}")).bearer(&key);
    send(&served.http, &show).and_then(Answer::ok).expect("the client is there");
    // The object's alarm notices it.
    let operator = Operator::of(&served.http);
    let found = support::soon("account in the directory", || {
        operator.call("GET", &format!("/accounts/{account}")).and_then(Answer::ok).ok()
    });
    assert_eq!(found.at("/account/logins").as_array().map(Vec::len), Some(1), "with its login");
    let listed = operator.walk("/accounts", "accounts").expect("the list");
    assert!(!listed[0]["last_commit_at"].is_null(), "the list has the time of the last change: {listed:?}");
    served.stop();
}

#[test]
fn a_change_that_did_not_reach_the_directory_follows_with_the_next_one() {
    let state = support::state();
    let served = serve_without_alarm(&state);
    let firm = Firm::open(&served.http).expect("a firm");
    let (account, owner) = (firm.account.clone(), firm.owner.clone());
    served.stop();
    support::change(&support::database_file(state.path()), "delete from logins");
    support::change(
        &object_file(&state),
        "insert into copies (table_name, row_key) select 'logins', quote(id) from logins",
    );
    let served = serve_without_alarm(&state);
    let operator = Operator::of(&served.http);
    let role = |status| {
        let path = format!("/logins/{owner}");
        let answer = operator.call_with("PATCH", &path, &json!({"role": "owner"}));
        answer.and_then(|answer| answer.expect_status(status).map(|_| ())).expect("an answer");
    };
    role(404);
    let other = json!({"email": "second@firm.example", "role": "owner"});
    operator.call_with("POST", &format!("/accounts/{account}/logins"), &other).and_then(Answer::ok).expect("a login");
    role(200);
    served.stop();
}

/// Neither object could tell: each has its own rows alone.
#[test]
fn an_import_with_a_login_of_another_account_is_refused_as_on_d1() {
    let state = support::state();
    let served = serve(&state);
    let firm = Firm::open(&served.http).expect("a firm");
    let operator = Operator::of(&served.http);
    let exported = operator.call("GET", &format!("/accounts/{}/export", firm.account)).and_then(Answer::ok);
    let export = exported.expect("an export").json["export"].take();
    let rows: Vec<String> = export["rows"].as_array().expect("rows").iter().map(Value::to_string).collect();
    // The same rows as those of another account.
    let other = "019cae5e-4770-7c1b-8f2a-6e5000000000";
    let mut head = export["head"].clone();
    head["account"] = json!(other);
    let columns = head["row"].as_array_mut().expect("columns");
    *columns.iter_mut().find(|value| value.is_number()).expect("the account's number") = json!(7);
    let head = head.to_string();
    let digest = rows.iter().fold(TransferDigest::of_head(&head), |digest, row| digest.and_row(row)).to_text();
    let path = format!("/accounts/{other}/import");
    let begin = format!("{{\"head\":{head},\"row_count\":{},\"digest\":\"{digest}\"}}", rows.len());
    let begin = operator.request("PUT", &path).json_text(&begin);
    send(&served.http, &begin).and_then(Answer::ok).expect("it begins");
    let body = format!("{{\"from\":0,\"rows\":[{}]}}", rows.join(","));
    let refused = served.http.exchange(&operator.request("POST", &path).json_text(&body)).expect("an answer");
    assert_eq!(refused.status, 409, "another account has the login: {}", refused.json);
    firm.get("/me").and_then(Answer::ok).expect("the other account goes on");
    served.stop();
}
