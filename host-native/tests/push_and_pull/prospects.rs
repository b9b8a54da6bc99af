//! Prospects, and county access that changes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::run::{read, run};
use crate::support::{OPERATOR_TOKEN, Place, Serving, account, run_json};

const IMPORTED: &str = "source_id,last_name,crash_date,crash_county_fips,vehicle_year,vehicle_make\n";

#[test]
fn prospects_are_a_flat_table_and_a_new_county_walks_the_list_again() {
    let place = Place::new();
    let path = place.database();
    let database = path.to_str().expect("a plain name");
    let (account, key) = account(&path);
    let import = |name: &str, rows: std::ops::Range<u32>, county: &str| {
        let row = |number: u32| format!("{name}{number},Sampleton,2026-01-02,{county},2019,\"Make, {number}\"\n");
        let file = place.file("prospects.csv");
        std::fs::write(&file, IMPORTED.to_owned() + &rows.map(row).collect::<String>()).expect("written");
        run_json(&["prospect", "import", file.to_str().expect("a plain name"), "--db", database]);
    };
    let grant = |county: &str| {
        run_json(&[
            "county",
            "grant",
            "--account",
            &account,
            "--fips",
            county,
            "--from",
            "2025-01-01",
            "--db",
            database,
        ])
    };
    import("a", 0..130, "06037");
    import("b", 0..5, "17031");
    grant("06037");
    let flags = ["--prospect-delay-seconds", "0", "--rate-limit-per-minute", "0", "--operator-token", OPERATOR_TOKEN];
    let serving = Serving::start_with(&path, &flags);

    let out = place.file("leads.csv").to_str().expect("a plain name").to_owned();
    let pull = || run(&["pull", "--leads", "--out", &out], &serving.origin, &key);
    let ran = pull();
    assert_eq!((ran.status, ran.shown), (Some(0), format!("130 prospects to {out}.\n")));
    let table = read(&out);
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let names: Vec<String> = rows.headers().expect("names").iter().map(str::to_owned).collect();
    let first: Vec<String> = rows.records().next().expect("a row").expect("a row").iter().map(str::to_owned).collect();
    let value = |name: &str| first[names.iter().position(|found| found == name).expect(name)].as_str();
    assert_eq!(
        (value("lead_type"), value("vehicle_year"), value("vehicle_make"), value("vehicle_model"), value("email")),
        ("cold", "2019", "Make, 0", "", "")
    );
    // But for the vehicle and what needs contact enrichment, the names are those of the list.
    let (_, page) = serving.get(&key, "/api/v1/prospects?limit=1");
    let listed: BTreeSet<String> = page["prospects"][0].as_object().expect("a prospect").keys().cloned().collect();
    let flat = ["vehicle_year", "vehicle_make", "vehicle_model", "email", "phone"];
    let kept: BTreeSet<String> = names.iter().filter(|name| !flat.contains(&name.as_str())).cloned().collect();
    assert_eq!(kept, listed.into_iter().filter(|name| name != "vehicle").collect());

    grant("17031");
    let ran = pull();
    let sentence = " The account's counties changed, so the list was walked from its beginning: prospects that were \
                    written before come again, under the same ids.\n";
    assert_eq!((ran.status, ran.shown), (Some(0), format!("135 new or changed prospects to {out}.{sentence}")));
    let ids: BTreeSet<String> =
        read(&out).lines().skip(1).filter_map(|line| Some(line.split(',').next()?.to_owned())).collect();
    assert_eq!(ids.len(), 135);
    let ran = pull();
    assert_eq!(ran.shown, format!("0 new or changed prospects to {out}.\n"));
    let state: Value = serde_json::from_str(&read(format!("{out}.pull-state"))).expect("JSON");
    assert_eq!(state["is_finished"], json!(true));
}
