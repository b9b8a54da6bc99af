//! What a push does with a file, and what it says.

use serde_json::json;

use super::{
    between::{Between, Reply, pass_on},
    run::{Firm, Ran, clients, files, read, run, write},
};
use crate::support::{Place, matterbook};

const MESSY: &str = "\u{feff}Case No;First Name;Last Name;Street;ZIP;Notes\r\n\
    1001;Ana;Specimenez;12 North Main Street;2134;first\r\n\
    ;ANA;Specimenez;12 N. Main St.;02134;the same\r\n\
    1002;Ana;Specimenez;12 N Main St;02134;in the way\r\n\
    1003;Bob;Sampleton;5 Demo Ave;123;\"=broken\"\r\n";

#[test]
fn refused_rows_are_fixed_in_the_error_file_and_pushed_again() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", MESSY);
    let ran = run(&["push", &file], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let (counts, problems) = ran.shown.split_at(ran.shown.find("      4  ").expect("a problem"));
    assert_eq!(
        counts,
        "clients.csv: 4 rows are done\n            1 created\n            1 updated\n            0 unchanged\n            \
         1 conflict\n            1 error\n"
    );
    assert!(problems.starts_with("      4  conflict     The client with this name, street"), "{problems}");
    assert!(
        problems.contains("\n      5  error        ZIP \"123\": zip must have 5 or 9 digits, but has 3;"),
        "{problems}"
    );
    let errors = format!("{file}.errors.csv");
    assert_eq!(
        ran.said,
        format!(
            "clients.csv: 4 rows\n  \
             sent      Case No → external_id, First Name → first_name, Last Name → last_name, \
             Street → address_line1, ZIP → zip\n  \
             left out  Notes\n\
             {errors} has the rows that were not saved, each with its reason. Fix them there and push that file.\n"
        )
    );
    let table = read(&errors);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines[0],
        "\u{feff}matterbook_reason,matterbook_status,matterbook_row,Case No,First Name,Last Name,Street,ZIP,Notes"
    );
    let (begins, ends) =
        ("\"The client with this name, street", ",conflict,4,1002,Ana,Specimenez,12 N Main St,02134,in the way");
    assert!(lines[1].starts_with(begins) && lines[1].ends_with(ends), "{table}");
    let (begins, ends) = ("\"zip must have 5 or 9 digits", ",error,5,1003,Bob,Sampleton,5 Demo Ave,123,=broken");
    assert!(lines[2].starts_with(begins) && lines[2].ends_with(ends), "{table}");
    assert_eq!(files(&firm.place, "clients.csv"), ["clients.csv", "clients.csv.errors.csv"], "no state is left");

    let mended = table.replace(",123,", ",60601,").replace("12 N Main St", "99 Other St");
    std::fs::write(&errors, mended).expect("written");
    let ran = run(&["push", &errors, "--json"], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let expected = json!({"push": {"rows": 2, "created": 2, "updated": 0, "unchanged": 0, "conflict": 0, "error": 0,
        "incomplete": 0, "rows_done_before": 0, "is_dry_run": false, "errors_file": null}});
    assert_eq!(ran.json(), expected);
    assert_eq!(firm.serving.clients(&firm.key).len(), 3);
}

#[test]
fn the_rows_that_are_refused_again_and_again_have_a_file_of_each_round() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", "Last Name,Zip\nLi,123\n");
    let mut pushed = file.clone();
    for round in ["errors.csv", "errors.2.csv", "errors.3.csv"] {
        let before = read(&pushed);
        let ran = run(&["push", &pushed], &firm.serving.origin, &firm.key);
        let errors = format!("{file}.{round}");
        let sentence = format!(
            "{errors} has the rows that were not saved, each with its reason. Fix them there and push that file."
        );
        assert_eq!((ran.status, ran.sentence()), (Some(1), sentence.as_str()), "{ran:?}");
        assert_eq!(read(&pushed), before, "what was pushed is left as it is");
        pushed = errors;
    }
    let names = ["clients.csv", "clients.csv.errors.2.csv", "clients.csv.errors.3.csv", "clients.csv.errors.csv"];
    assert_eq!(files(&firm.place, "clients.csv"), names);
    // Somebody may be mending the next round's file.
    let second = format!("{file}.errors.csv");
    run(&["push", &second], &firm.serving.origin, &firm.key);
    assert!(files(&firm.place, "clients.csv").contains(&"clients.csv.errors.2.previous.csv".to_owned()));
}

#[test]
fn a_file_without_a_column_of_names_is_warned_of_before_anything_is_sent() {
    let firm = Firm::new();
    let sentence = "No column is a first or last name: a row is taken only where a client with its external_id is saved \
                    already.\n";
    let file = firm.write("clients.csv", "Name,Case No,Zip\n\"Li, Ana\",1,02134\n");
    // The warning does not depend on an answer.
    let nowhere = run(&["push", &file], "http://127.0.0.1:1", "key");
    assert!(nowhere.said.contains(sentence), "{nowhere:?}");
    let ran = run(&["push", &file, "--map", "Name=last_comma_first"], &firm.serving.origin, &firm.key);
    assert!(ran.status == Some(0) && !ran.said.contains("No column"), "{ran:?}");
}

#[test]
fn a_push_keeps_the_error_file_of_an_earlier_push() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(10));
    assert_eq!(run(&["push", &file], &firm.serving.origin, &firm.key).status, Some(1));
    std::fs::write(format!("{file}.errors.csv"), "half mended").expect("written");
    assert_eq!(run(&["push", &file], &firm.serving.origin, &firm.key).status, Some(1));
    assert_eq!(read(format!("{file}.errors.previous.csv")), "half mended");
    std::fs::write(&file, clients(9)).expect("written");
    assert_eq!(run(&["push", &file], &firm.serving.origin, &firm.key).status, Some(0));
    assert_eq!(files(&firm.place, "clients.csv.errors"), ["clients.csv.errors.previous.csv"], "none is refused");
}

#[test]
fn objects_come_back_as_objects() {
    let firm = Firm::new();
    let lines = "{\"external_id\": 18446744073709551616, \"last_name\": \"Sampleton\", \"zip\": \"1\", \"note\": {\"a\": 1}}\n\
                 [1]\n{\"last_name\": \"Demowitz\"}\n";
    let file = firm.write("clients.ndjson", lines);
    let ran = run(&["push", &file], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let errors = read(format!("{file}.errors.ndjson"));
    let lines: Vec<&str> = errors.lines().collect();
    let ends = ",\"matterbook_status\":\"error\",\"matterbook_row\":1,\"external_id\":18446744073709551616,\
                \"last_name\":\"Sampleton\",\"zip\":\"1\",\"note\":{\"a\": 1}}";
    assert!(lines[0].starts_with("{\"matterbook_reason\":\"zip") && lines[0].ends_with(ends), "{errors}");
    assert!(lines[1].ends_with(",\"matterbook_row\":2,\"matterbook_line\":\"[1]\"}"), "{errors}");
    assert_eq!(lines.len(), 2);
}

#[test]
fn an_unreadable_row_does_not_stop_the_other_rows() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", "Last Name,ZIP\nSampleton,60601,too,many\nDemowitz,60601\n");
    let ran = run(&["push", &file, "--json"], &firm.serving.origin, &firm.key);
    assert_eq!((ran.status, &ran.json()["push"]["created"]), (Some(1), &json!(1)), "{ran:?}");
    let errors = read(format!("{file}.errors.csv"));
    assert!(errors.ends_with("The row has 4 values for 2 columns.,error,2,Sampleton,60601,too,many\r\n"), "{errors}");
}

#[test]
fn batches_go_in_order_each_with_a_key_of_its_own_and_the_programs_name() {
    let firm = Firm::new();
    let origin = firm.serving.origin.clone();
    let between = Between::start(move |asked| pass_on(&origin, asked));
    let file = firm.write("clients.csv", &clients(1_201));
    let ran = run(&["push", &file, "--json"], &format!("{}/api/v1/", between.origin), &firm.key);
    assert_eq!(ran.json()["push"]["rows"], 1_201, "{ran:?}");
    let batches = between.batches();
    assert_eq!(batches.iter().map(|batch| batch.clients()).collect::<Vec<_>>(), [500, 500, 201]);
    let first = batches[1].body.split_once('}').expect("a client").0;
    assert!(first.contains("\"external_id\":\"M-500\""), "{first}");
    let mut keys: Vec<&str> = batches.iter().map(|batch| batch.idempotency_key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 3);
    for asked in between.asked() {
        assert_eq!(asked.user_agent, concat!("matterbook/", env!("CARGO_PKG_VERSION")));
    }
}

#[test]
fn a_dry_run_says_what_would_come_of_each_row_and_saves_nothing() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", MESSY);
    let ran = run(&["push", &file, "--dry-run", "--json"], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let errors = format!("{file}.dry-run.errors.csv");
    let tried = json!({"push": {"rows": 4, "created": 1, "updated": 1, "unchanged": 0, "conflict": 1, "error": 1,
        "incomplete": 0, "rows_done_before": 0, "is_dry_run": true, "errors_file": errors}});
    assert_eq!(ran.json(), tried);
    assert!(ran.sentence().contains(" has the rows that would not be saved, "), "{ran:?}");
    // A dry run saves no row, so the user must push the original file again, not the error file.
    assert!(ran.sentence().ends_with("Fix them in clients.csv."), "{ran:?}");
    assert_eq!(
        files(&firm.place, "clients.csv"),
        ["clients.csv", "clients.csv.dry-run.errors.csv"],
        "no state is left"
    );
    assert_eq!(firm.serving.clients(&firm.key).len(), 0);

    let ran = run(&["push", &file, "--dry-run"], &firm.serving.origin, &firm.key);
    assert!(ran.shown.starts_with("clients.csv: 4 rows were tried out, nothing is saved\n"), "{ran:?}");

    let ran = run(&["push", &file, "--json"], &firm.serving.origin, &firm.key);
    let counts = |ran: &Ran| ["created", "updated", "conflict", "error"].map(|name| ran.json()["push"][name].clone());
    assert_eq!(counts(&ran), ["created", "updated", "conflict", "error"].map(|name| tried["push"][name].clone()));
}

#[test]
fn a_row_is_refused_with_everything_that_is_wrong_with_it() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", "Last Name,City,State,ZIP\nSampleton,#N/A,Narnia,123\n");
    let ran = run(&["push", &file], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let table = read(format!("{file}.errors.csv"));
    for wrong in ["city is an error of the spreadsheet", "state must be a US state", "zip must have 5 or 9 digits"] {
        assert!(table.contains(wrong), "{table}");
    }
}

#[test]
fn usage_errors_end_with_status_2_and_send_nothing() {
    let place = Place::new();
    let between = Between::start(|_| Reply::Nothing);
    let file = write(&place, "clients.csv", &clients(1));
    let check = |arguments: &[&str], origin: &str, key: &str, sentence: &str| {
        let ran = run(arguments, origin, key);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.said.contains(sentence), "{ran:?}");
        assert!(ran.shown.is_empty());
    };
    let url = between.origin.as_str();
    check(&["push", &file], url, "", "Give the account's API key, in MATTERBOOK_KEY or with --key.");
    check(&["push", &file], url, "two words", "The key must be visible ASCII characters");
    check(&["push", &file], "127.0.0.1:1", "k", "--url must begin with http:// or https://");
    check(&["push", "-"], url, "k", "push needs a file, not standard input");
    check(&["push", &file, "--batch-rows", "501"], url, "k", "1..=500");
    check(&["push", &file, "--map", "Zip Code=zap"], url, "k", "\"zap\" is no field");
    check(&["push", &file, "--map", "Zap=zip"], url, "k", "no column \"Zap\"");
    check(&["push"], url, "k", "FILE");
    check(&["pull", "--json"], url, "k", "--json says what was done, and needs --out");
    check(&["pull", "--out", "clients.xlsx"], url, "k", "End the name of --out in .csv or .ndjson");
    check(&["pull", "--format", "xml"], url, "k", "ndjson");
    assert!(between.asked().is_empty());
}

#[test]
fn the_key_is_never_shown_and_never_kept() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(1));
    let key = firm.key.clone();
    let state = firm.place.file("clients.csv.push-state");
    let (origin, kept) = (firm.serving.origin.clone(), std::sync::Arc::new(std::sync::Mutex::new(String::new())));
    let seen = std::sync::Arc::clone(&kept);
    let between = Between::start(move |asked| {
        if asked.is_batch() {
            *seen.lock().expect("no panic") = read(&state);
        }
        pass_on(&origin, asked)
    });
    let ran = run(&["push", &file, "--key", &key], &between.origin, "other");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let kept = kept.lock().expect("no panic").clone();
    assert!(kept.contains(&firm.account) && !kept.contains(&key), "{kept}");
    assert!(!ran.said.contains(&key) && !ran.shown.contains(&key));
}

#[test]
fn each_kind_of_problem_is_shown_once_with_a_value_and_the_files_own_header() {
    let firm = Firm::new();
    let rows: String = (1..=40).map(|number| format!("Li,{number},{}\n", if number > 38 { "x" } else { "" })).collect();
    let file = firm.write("clients.csv", &format!("Last Name,Postal Code,Mobile\n{rows}"));
    let ran = run(&["push", &file], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(ran.shown.matches("zip must have 5 or 9 digits").count(), 1, "{ran:?}");
    assert!(ran.shown.contains("      2  error        Postal Code \"1\": zip must have 5 or 9 digits"), "{ran:?}");
    assert!(ran.shown.contains(" And 39 more like it.\n"), "{ran:?}");
    assert!(ran.shown.contains("     40  error        Mobile \"x\": phone "), "{ran:?}");
    assert_eq!(
        (ran.shown.matches("40 error").count(), ran.said.matches("40 rows").count()),
        (1, 1),
        "once each: {ran:?}"
    );
}

#[test]
fn clients_that_stay_as_they_are_are_counted_apart() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", "ID,Last Name,City\n1,Li,Reno\n2,Orr,Reno\n3,Ray,Reno\n");
    run(&["push", &file], &firm.serving.origin, &firm.key);
    let file = firm.write("clients.csv", "ID,Last Name,City\n1,Li,Elko\n2,Orr,Reno\n3,Ray,Reno\n");
    let ran = run(&["push", &file, "--json"], &firm.serving.origin, &firm.key);
    let counts = ["created", "updated", "unchanged"].map(|name| ran.json()["push"][name].clone());
    assert_eq!(counts, [0, 1, 2].map(serde_json::Value::from), "{ran:?}");
}

#[test]
fn rows_are_saved_without_the_optional_values_that_cannot_be_read() {
    let firm = Firm::new();
    let list = "ID,Last Name,City,Phone\n1,Li,Reno,12\n2,#N/A,Reno,\n3,Orr,Elko,775-555-0111\n";
    let file = firm.write("clients.csv", list);
    let ran = run(&["push", &file, "--leave-out-unreadable"], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.shown.contains("1 saved without a value that cannot be read\n"), "{ran:?}");
    assert!(ran.shown.contains("2  incomplete   Phone \"12\": phone must have 10 to 15 digits, but has 2."), "{ran:?}");
    let saved = firm.serving.clients(&firm.key);
    assert_eq!(saved.len(), 2, "{saved:?}");
    let li = saved.iter().find(|client| client["last_name"] == "Li").expect("is saved");
    assert_eq!((&li["city"], &li["phone"]), (&"Reno".into(), &serde_json::Value::Null));
    // The error file has the row without a name only.
    assert_eq!(read(format!("{file}.errors.csv")).lines().count(), 2);
}

/// An unattended push has no terminal, and must not wait for an answer.
#[test]
fn settlements_are_announced_and_without_a_terminal_nobody_is_asked() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", "ID,Last Name,Settled\n1,Li,2014-05-01\n2,Orr,2026-01-02\n3,Ray,\n");
    let sentence = "2 clients have a settled date, from 2014 to 2026. Each date that is new for a client may begin a \
                    settlement, and a letter is sent for each settlement.\n";
    for flags in [&["--dry-run"][..], &["--yes"], &[]] {
        let ran = run(&[&["push", &file], flags].concat(), &firm.serving.origin, &firm.key);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(ran.said.contains(sentence), flags != ["--dry-run"], "{flags:?}: {ran:?}");
        assert!(!ran.said.contains("Go on?"), "{ran:?}");
    }
    let without = firm.write("others.csv", "ID,Last Name\n1,Li\n");
    assert!(!run(&["push", &without], &firm.serving.origin, &firm.key).said.contains("settlement"));
}

#[test]
fn the_address_may_come_from_the_environment_and_the_flag_wins() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", &clients(1));
    let with = |variable: &str, flags: &[&str]| {
        let mut command = matterbook(&[&["push", &file], flags].concat());
        command.env("MATTERBOOK_KEY", &firm.key).env("MATTERBOOK_URL", variable);
        Ran::of(&command.output().expect("the program starts"))
    };
    let origin = firm.serving.origin.as_str();
    assert_eq!(with(origin, &[]).status, Some(0));
    assert_eq!(with("http://127.0.0.1:1", &["--url", origin]).status, Some(0));
    let none = with("", &[]);
    assert!(none.status == Some(2) && none.said.contains("--url or MATTERBOOK_URL"), "{none:?}");
}

#[test]
fn a_tick_in_a_column_of_do_not_mail_is_a_yes() {
    let firm = Firm::new();
    let file = firm.write("clients.csv", "ID,Last Name,DNM\n1,Li,X\n2,Orr, Checked \n3,Ray,\n");
    let ran = run(&["push", &file], &firm.serving.origin, &firm.key);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let mail: Vec<_> = firm.serving.clients(&firm.key).iter().map(|client| client["do_not_mail"].clone()).collect();
    assert_eq!(mail, [true, true, false].map(serde_json::Value::from));
    let refused = json!({"clients": [{"last_name": "Li", "do_not_mail": "x"}]});
    let (_, answer) = firm.serving.post(&firm.key, "/api/v1/clients", &refused);
    assert_eq!(answer["results"][0]["status"], "error", "the API takes no tick: {answer}");
}
