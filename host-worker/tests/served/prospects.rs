//! Prospects in several databases (rule W28): where each of them is, and what callers see of it.

use std::{fs, path::PathBuf, process::Command, thread, time::Duration};

use matterbook_conformance::wire::{Answer, Firm, Operator, OverHttp, Request, Service as _, send};
use matterbook_core::county;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{self, SEVERAL_DATABASES, Served};

const SETTINGS: [(&str, &str); 2] = [("MATTERBOOK_PROFILE", "objects"), ("MATTERBOOK_PROSPECT_DELAY_SECONDS", "0")];

/// Counties in California, Illinois and Texas.
const COUNTIES: [&str; 3] = ["06037", "17031", "48113"];

fn serve(state: &TempDir) -> Served {
    Served::start(state.path(), &[SETTINGS.as_slice(), &[SEVERAL_DATABASES]].concat())
}

fn prospect(source_id: &str, fips: &str, crash_date: &str) -> Value {
    json!({"source_id": source_id, "crash_county_fips": fips, "crash_date": crash_date, "last_name": "Sampleton"})
}

/// A firm that sees the three counties from 2024 on.
fn firm(served: &Served) -> Firm<'_> {
    let firm = Firm::with(&served.http, &json!({"api_enabled": true, "digital_bundle": true})).expect("a firm");
    for fips in COUNTIES {
        firm.grant(fips, "2024-01-01").and_then(Answer::ok).expect("a county");
    }
    firm
}

fn source_ids(file: &PathBuf) -> Vec<String> {
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the database opens");
    let mut statement = database.prepare("select source_id from prospects order by source_id").expect("a query");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.map(|row| row.expect("a row")).collect()
}

/// The source ids in each database, in the order of these lists.
fn where_they_are(state: &TempDir) -> Vec<Vec<String>> {
    let mut found: Vec<_> = support::database_files(state.path()).iter().map(source_ids).collect();
    found.sort();
    found
}

/// The database with the accounts, where there is one.
fn directory(state: &TempDir) -> Connection {
    let open = |file: PathBuf| Connection::open(file).expect("the database opens");
    let has_account = |database: &Connection| database.query_row("select 1 from accounts", [], |_| Ok(())).is_ok();
    let directory = support::database_files(state.path()).into_iter().map(open).find(has_account).expect("a directory");
    directory.busy_timeout(Duration::from_secs(10)).expect("patience");
    directory
}

fn import(service: &OverHttp, prospects: &[Value]) -> Answer {
    let body = json!({ "prospects": prospects });
    Operator::of(service).call_with("POST", "/prospects", &body).expect("an answer")
}

fn shown(firm: &Firm<'_>) -> Vec<Value> {
    firm.walk_prospects("limit=2").expect("pages")
}

fn statuses(answer: &Answer) -> Vec<String> {
    let results = answer.json["results"].as_array().expect("results");
    results.iter().map(|result| result["status"].as_str().expect("a status").to_owned()).collect()
}

#[test]
fn each_prospect_is_in_one_database_and_pages_show_all_of_them() {
    let state = support::state();
    let served = serve(&state);
    let (firm, operator) = (firm(&served), Operator::of(&served.http));
    let import = |prospects: &[Value]| import(&served.http, prospects);
    let first = [
        prospect("a", "06037", "2026-02-01"),
        prospect("b", "17031", "2026-02-01"),
        prospect("c", "17031", "2025-02-01"),
        prospect("d", "06037", "2025-02-01"),
        prospect("e", "48113", "2026-03-01"),
    ];
    assert_eq!(statuses(&import(&first)), ["created"; 5]);
    let expected = [vec!["a", "d"], vec!["b", "e"], vec!["c"]];
    assert_eq!(where_they_are(&state), expected, "of California, of 2026, and the rest");
    assert_eq!(shown(&firm).len(), 5);
    // What is corrected stays where it is, so that no page shows it twice.
    let corrected = [
        prospect("a", "48113", "2024-02-01"),
        prospect("c", "06037", "2026-01-01"),
        prospect("f", "06037", "2026-01-01"),
    ];
    assert_eq!(statuses(&import(&corrected)), ["updated", "updated", "created"]);
    assert_eq!(where_they_are(&state), [vec!["a", "d", "f"], vec!["b", "e"], vec!["c"]]);
    let pages = shown(&firm);
    let of = |name: &str| {
        pages.iter().map(|prospect| prospect[name].as_str().expect("a text").to_owned()).collect::<Vec<_>>()
    };
    let mut counties = of("crash_county_fips");
    counties.sort();
    assert_eq!(counties, ["06037", "06037", "06037", "17031", "48113", "48113"]);
    assert!(of("added_at").is_sorted(), "the oldest come first: {pages:?}");
    let newest = firm.get("/prospects?order=newest&limit=2").and_then(Answer::ok).expect("the newest");
    let newest = newest.json["prospects"].as_array().expect("a list").clone();
    assert_eq!(newest.len(), 2);
    assert_eq!(newest[0], *pages.last().expect("the last"), "the latest is first");
    // One of each database is erased, and stays so.
    for (source_id, rest) in [("d", 5), ("b", 4), ("c", 3)] {
        let again = import(&[prospect(source_id, "06037", "2026-01-01")]);
        let id = again.json["results"][0]["id"].as_str().expect("an id").to_owned();
        let erased = operator.call("DELETE", &format!("/prospects/{id}")).and_then(Answer::ok);
        erased.expect("it is erased");
        let gone = operator.call("DELETE", &format!("/prospects/{id}")).expect("an answer");
        assert_eq!(gone.status, 404, "it is erased already");
        assert_eq!(shown(&firm).len(), rest);
        assert_eq!(statuses(&import(&[prospect(source_id, "17031", "2026-01-01")])), ["error"]);
    }
    let log = operator.walk("/log", "log").expect("the log");
    let actions = |name: &str| log.iter().filter(|entry| entry["action"] == name).count();
    assert_eq!((actions("prospect.import"), actions("prospect.erase")), (8, 3), "each change is in the log once");
    served.stop();
}

/// Where no clock tells that the other has written, each finds none, and saves the prospect in another database.
#[test]
fn a_prospect_that_two_imports_bring_at_once_is_there_once() {
    let state = support::state();
    let served = serve(&state);
    let firm = firm(&served);
    for round in 0..10 {
        let bring = |fips: &'static str| {
            let http = &served.http;
            move || statuses(&import(http, &[prospect(&format!("r{round}"), fips, "2025-02-01")]))
        };
        let results = thread::scope(|scope| {
            let threads = COUNTIES.map(|fips| scope.spawn(bring(fips)));
            threads.map(|thread| thread.join().expect("a thread"))
        });
        let created = results.iter().filter(|statuses| **statuses == ["created"]).count();
        assert_eq!(created, 1, "{results:?}");
    }
    assert_eq!(shown(&firm).len(), 10);
    served.stop();
}

#[test]
fn an_import_that_ended_half_way_is_completed_by_its_repetition() {
    let state = support::state();
    let served = serve(&state);
    let firm = firm(&served);
    import(&served.http, &[prospect("a", "06037", "2025-02-01")]);
    // It has written into one database, and has had the lock for its time.
    let lock = "insert into prospect_lock (id, holder, expires_at) values (1, 'one that ended', 0)";
    directory(&state).execute(lock, []).expect("a lock");
    let both = [prospect("a", "06037", "2025-02-01"), prospect("b", "17031", "2025-02-01")];
    assert_eq!(statuses(&import(&served.http, &both)), ["updated", "created"]);
    assert_eq!(shown(&firm).len(), 2);
    let locks: i64 =
        directory(&state).query_row("select count(*) from prospect_lock", [], |row| row.get(0)).expect("a count");
    assert_eq!(locks, 0, "the lock is free");
    served.stop();
}

#[test]
fn while_another_import_is_under_way_one_is_refused_and_may_be_sent_again() {
    let state = support::state();
    let served = serve(&state);
    firm(&served);
    let lock = "insert into prospect_lock (id, holder, expires_at) values (1, 'another', 9000000000000000)";
    directory(&state).execute(lock, []).expect("a lock");
    let prospects = [prospect("a", "06037", "2025-02-01")];
    let refused = import(&served.http, &prospects);
    assert_eq!(refused.status, 500, "{}", refused.json);
    assert_eq!(refused.header("retry-after"), Some("1"));
    directory(&state).execute("delete from prospect_lock", []).expect("no lock");
    assert_eq!(statuses(&import(&served.http, &prospects)), ["created"]);
    served.stop();
}

#[test]
fn a_database_whose_binding_is_gone_is_missed_and_not_left_out() {
    let state = support::state();
    let served = serve(&state);
    let opened = firm(&served);
    let key = opened.key.clone();
    import(&served.http, &[prospect("a", "17031", "2026-02-01")]);
    served.stop();
    let served = Served::start(state.path(), &SETTINGS);
    let page = Request::new("GET", "/api/v1/prospects").bearer(&key);
    let refused = served.http.exchange(&page).expect("an answer");
    assert_eq!(refused.status, 500, "{}", refused.json);
    let cause = served.line_of(&refused)["cause"].as_str().expect("a cause").to_owned();
    assert!(cause.contains("the binding PROSPECTS_2026 is missing, whose database has prospects"), "{cause}");
    served.stop();
    let served = serve(&state);
    let page = send(&served.http, &page).and_then(Answer::ok).expect("a page");
    assert_eq!(page.json["prospects"].as_array().map(Vec::len), Some(1));
    served.stop();
}

/// The place of each crash among the bindings, or the sentence that refuses these.
fn places(bindings: &Value, crashes: &Value) -> String {
    let script = format!(
        "import {{ placeOf, prospectDatabases }} from './prospect-databases.mjs';
        try {{
          const databases = prospectDatabases({bindings});
          console.log({crashes}.map(([fips, date]) => databases[placeOf(databases, fips, date)][0]).join(' '));
        }} catch (refusal) {{ console.log(refusal) }}"
    );
    let mut node = Command::new("node");
    node.current_dir(env!("CARGO_MANIFEST_DIR")).args(["--input-type=module", "--eval", &script]);
    String::from_utf8(node.output().expect("node runs").stdout).expect("a text").trim_end().to_owned()
}

#[test]
fn the_binding_of_state_and_year_comes_before_that_of_the_state_and_of_the_year() {
    let crashes =
        json!([["48113", "2027-01-31"], ["48113", "2026-01-31"], ["06037", "2027-01-31"], ["06037", "2026-01-31"]]);
    let bindings = json!({"DB": 1, "ACCOUNTS": 1, "PROSPECTS_2027": 1, "PROSPECTS_TX": 1, "PROSPECTS_TX_2027": 1});
    assert_eq!(places(&bindings, &crashes), "PROSPECTS_TX_2027 PROSPECTS_TX PROSPECTS_2027 DB");
    assert_eq!(places(&json!({"DB": 1}), &crashes), "DB DB DB DB");
}

#[test]
fn a_binding_that_can_have_no_prospects_is_refused() {
    for name in ["PROSPECTS_XX", "PROSPECTS_--", "PROSPECTS_TX_27", "PROSPECTS_2027_TX", "PROSPECTS_tx", "PROSPECTS_"] {
        let sentence =
            format!("The binding {name} must be named like PROSPECTS_TX, PROSPECTS_2027 or PROSPECTS_TX_2027.");
        assert_eq!(places(&json!({"DB": 1, "ACCOUNTS": 1, name: 1}), &json!([])), sentence);
    }
    let on_d1 = places(&json!({"DB": 1, "PROSPECTS_TX": 1}), &json!([]));
    assert_eq!(on_d1, "Bindings PROSPECTS_… need the profile objects.");
}

#[test]
fn the_states_of_bindings_are_those_of_the_rules() {
    let module =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/prospect-databases.mjs")).expect("the module");
    let states = module.split('"').find(|text| text.starts_with("--AL")).expect("the states");
    for code in 0..100 {
        let letters = states.get(2 * code..2 * code + 2).filter(|letters| *letters != "--");
        assert_eq!(letters, county::state(&format!("{code:02}001")), "{code}");
    }
}
