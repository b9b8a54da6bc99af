//! The `conformance` command: what it prints, and how it ends.

use std::process::{Command, Output};

use crate::services::{OPERATOR_TOKEN, native::Native};
use matterbook::http::Limits;
use matterbook_conformance::wire::{Service as _, cases, run};
use serde_json::{Value, json};

fn conformance(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(arguments)
        .env_remove("MATTERBOOK_OPERATOR_TOKEN")
        .output()
        .expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs `test` with the URL of a native service that has these settings besides the usual ones.
fn with_service(settings: &[(&str, &str)], test: impl FnOnce(&str)) {
    let native = Native::start(settings, Limits::default());
    test(&native.url);
    assert!(native.stop());
}

/// No delay, so that the command finds the service suitable.
const SUITABLE: &[(&str, &str)] =
    &[("MATTERBOOK_CLIENT_DELAY_SECONDS", "0"), ("MATTERBOOK_PROSPECT_DELAY_SECONDS", "0")];

#[test]
fn a_passing_service_exits_0_with_a_table_or_json() {
    with_service(SUITABLE, |url| {
        for base in [url.to_owned(), format!("{url}/api/v1")] {
            let output = conformance(&["--url", &base, "--operator-token", OPERATOR_TOKEN, "--only", "me."]);
            let table = text(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{table}{}", text(&output.stderr));
            assert!(table.contains("me.names_the_account_of_the_key") && table.contains("  pass  "), "{table}");
            assert!(table.ends_with("passed, 0 failed\n"), "{table}");
        }
        let output = conformance(&["--url", url, "--operator-token", OPERATOR_TOKEN, "--only", "me.", "--json"]);
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&json["failed"], &json["cases"][0]["passed"]), (&Value::from(0), &Value::from(true)));
    });
}

#[test]
fn skipped_cases_are_listed_and_exit_3() {
    with_service(SUITABLE, |url| {
        let run = |more: &[&str]| {
            let output =
                conformance(&[&["--url", url, "--operator-token", OPERATOR_TOKEN, "--only", "me."], more].concat());
            (output.status.code(), text(&output.stdout), text(&output.stderr))
        };
        let skipped = "me.names_the_account_of_the_key";
        let (code, table, _) = run(&["--skip", skipped]);
        assert_eq!(code, Some(3), "{table}");
        let line = table.lines().find(|line| line.starts_with(skipped)).unwrap_or_default();
        assert!(line.ends_with("SKIPPED"), "{table}");
        assert!(table.ends_with("passed, 0 failed, 1 skipped: not a full pass\n"), "{table}");
        let (code, json, _) = run(&["--skip", skipped, "--json"]);
        let json: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((code, &json["skipped"]), (Some(3), &json!([skipped])));
        let (code, _, said) = run(&["--skip", "names_nothing"]);
        assert_eq!((code, said.as_str()), (Some(2), "No case to skip has \"names_nothing\" in its name.\n"));
    });
}

#[test]
fn a_service_without_a_viewer_passes_as_one() {
    with_service(SUITABLE, |url| {
        let arguments = ["--url", url, "--operator-token", OPERATOR_TOKEN, "--without", "viewer"];
        let output = conformance(&arguments);
        assert_eq!(output.status.code(), Some(2), "the native host has a viewer");
        assert!(text(&output.stderr).contains("answers /openapi.json"));
    });
    let api = crate::services::over_memory_without_viewer();
    assert!(!api.facts().has_viewer);
    for case in cases::all().filter(|case| case.optional_part().is_none()) {
        assert_eq!(run(case, &api).held(), Ok(()));
    }
}

#[test]
fn a_service_that_cannot_be_tested_exits_2_with_a_sentence() {
    let check = |url: &str, token: &str, only: &str, sentence: &str| {
        let output = conformance(&["--url", url, "--operator-token", token, "--only", only]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(sentence), "{said:?} does not say {sentence:?}");
        assert!(!said.contains(OPERATOR_TOKEN) && output.stdout.is_empty());
    };
    with_service(SUITABLE, |url| {
        check(url, "wrong", "me.", "operator token");
        check(url, OPERATOR_TOKEN, "nothing like this", "No case");
        check("example.com", OPERATOR_TOKEN, "me.", "not a URL");
        check("http://127.0.0.1:1", OPERATOR_TOKEN, "me.", "no connection");
        check(&format!("{url}/elsewhere"), OPERATOR_TOKEN, "me.", "no operator API");
    });
    for (name, value) in [
        ("MATTERBOOK_CLIENT_DELAY_SECONDS", "66"),
        ("MATTERBOOK_PROSPECT_DELAY_SECONDS", "3600"),
        ("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "5"),
    ] {
        let settings = [(name, value), SUITABLE[0], SUITABLE[1]];
        with_service(&settings, |url| check(url, OPERATOR_TOKEN, "me.", name));
    }
    assert_eq!(conformance(&[]).status.code(), Some(2), "usage");
}
