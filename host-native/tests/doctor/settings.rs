//! The settings, and what the system lets a process have.

use std::process::Command;

use super::examined::{Examined, NOWHERE, database};
use crate::support::Place;

const TOKEN: &str = "b0fd2b5a9c1e47d8a6c3e5f7091b2d4c";

fn place() -> Place {
    let place = Place::new();
    database(&place);
    place
}

#[test]
fn each_setting_says_where_it_comes_from_and_whether_it_can_be_used() {
    let place = place();
    let variables =
        [("MATTERBOOK_LOG", "xml"), ("MATTERBOOK_KEY_PREFIX", ""), ("MATTERBOOK_CLIENT_DELAY_SECONDS", "30")];
    let examined = Examined::with(&place.database(), &["--rate-limit-per-minute", "many"], &variables);
    examined
        .check("MATTERBOOK_LOG", "wrong", "from the environment")
        .check("MATTERBOOK_RATE_LIMIT_PER_MINUTE", "wrong", "from its flag")
        .check("MATTERBOOK_KEY_PREFIX", "ok", "its default")
        .check("MATTERBOOK_CLIENT_DELAY_SECONDS", "ok", "30, from the environment.")
        .check("integrity", "ok", "whole");
    assert!(examined.text.contains("MATTERBOOK_LOG must be json or text."));
}

#[test]
fn a_variable_that_is_no_setting_is_told() {
    let examined = Examined::with(&place().database(), &[], &[("MATTERBOOK_RATE_LIMIT", "5"), ("MATTERBOOK_KEY", "k")]);
    examined.check("MATTERBOOK_RATE_LIMIT", "warn", "No setting has this name");
    assert!(!examined.complaints().contains(&"MATTERBOOK_KEY"), "it is of other commands");
}

#[test]
fn a_weak_token_is_wrong_and_no_token_is_ever_printed() {
    let place = place();
    let token = |value: &str| Examined::with(&place.database(), &[], &[("MATTERBOOK_OPERATOR_TOKEN", value)]);
    for (weak, check, message) in [
        ("swordfish", "MATTERBOOK_OPERATOR_TOKEN", "cannot be used"),
        ("swordfish-again-swordfish-again", "MATTERBOOK_OPERATOR_TOKEN", "cannot be used"),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "operator token", "easy to guess"),
    ] {
        let examined = token(weak);
        examined.check(check, "wrong", message);
        assert!(!examined.text.contains(weak));
    }
    let examined = token(TOKEN);
    examined.check("operator token", "ok", "").check("MATTERBOOK_OPERATOR_TOKEN", "ok", "Set, from the environment.");
    assert!(!examined.text.contains(TOKEN));
    let examined = Examined::with(&place.database(), &["--operator-token", TOKEN], &[]);
    examined.check("operator token", "warn", "among the arguments");
    assert!(!examined.text.contains(TOKEN));
}

#[test]
fn addresses_that_others_reach_and_a_limit_that_is_off_are_told() {
    let place = place();
    let flags = ["--listen", "0.0.0.0:1", "--metrics-listen", "[::]:9464", "--rate-limit-per-minute", "0"];
    let examined = Examined::with(&place.database(), &flags, &[]);
    examined
        .check("listen", "warn", "0.0.0.0:1 can be reached from other machines.")
        .check("metrics listen", "warn", "[::]:9464 can be reached")
        .check("rate limit", "warn", "switched off");
    let flags = ["--listen", "[::1]:1", "--metrics-listen", "127.0.0.1:9464"];
    let complaints = Examined::with(&place.database(), &flags, &[]);
    assert!(complaints.complaints().iter().all(|check| !check.ends_with("listen")), "{}", complaints.text);
}

#[test]
fn too_few_open_files_are_told() {
    let place = place();
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_matterbook");
    command.args(["-c", "ulimit -n 512; exec \"$0\" \"$@\"", program, "doctor", "--json", "--listen", NOWHERE, "--db"]);
    command.arg(place.database());
    Examined::run(command).check("open files", "warn", "Here a process may have 512 open");
}

#[test]
fn text_output_shows_each_problem_with_its_fix() {
    let place = Place::new();
    let mut command = crate::support::matterbook(&["doctor", "--listen", NOWHERE, "--db"]);
    let output = command.arg(place.database()).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    let mut lines = text.lines().skip_while(|line| !line.starts_with("wrong  file "));
    assert!(lines.next().is_some_and(|line| line.contains("There is no database ")), "{text}");
    assert!(lines.next().is_some_and(|line| line.trim_start().starts_with("→ Name another by --db")), "{text}");
    assert!(
        text.lines().next_back().is_some_and(|line| line.contains("checks: 1 wrong, 1 thing to look at.")),
        "{text}"
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), "Something is wrong: see above.\n");
}
