//! The README and the page on running it show what the program prints and takes.

use std::io::BufRead as _;

use crate::support::{Place, Serving, run};

const README: &str = include_str!("../../README.md");
const QUICK_START: &str = include_str!("../../docs/quick-start.md");
const DEPLOY: &str = include_str!("../../docs/deploy-native.md");
const PUSH_AND_PULL: &str = include_str!("../../docs/push-and-pull.md");
const OPERATING: &str = include_str!("../../docs/operating.md");

#[test]
fn the_readme_and_the_quick_start_show_what_the_demo_prints() {
    let place = Place::new();
    let mut serving = Serving::start_with(&place.database(), &["--demo"]);
    let mut printed = String::new();
    while !printed.contains("Stop with Ctrl-C") {
        assert!(serving.output.read_line(&mut printed).expect("text") > 0, "{printed}");
    }
    for page in [README, QUICK_START] {
        let (_, rest) = page.split_once("```text\n").expect("what is printed");
        let (shown, _) = rest.split_once("\n```").expect("its end");
        // The first line has the address, which differs here, and `…` replaces the rest.
        for line in shown.lines().skip(1).filter(|line| !line.contains('…')) {
            assert!(printed.contains(line), "{line}\nis not in\n{printed}");
        }
    }
    assert!(printed.contains(&format!("{}/docs\n", serving.origin)), "{printed}");
    let batch = README.split_once("-d '").and_then(|(_, rest)| rest.split_once("'\n")).expect("a batch").0;
    assert!(printed.contains(batch), "{batch}\nis not in\n{printed}");
}

#[test]
fn every_command_that_is_shown_is_one_of_the_program() {
    let commands =
        [README, QUICK_START, DEPLOY, PUSH_AND_PULL, OPERATING].into_iter().flat_map(str::lines).filter_map(|line| {
            line.strip_prefix("cargo run --release -p matterbook -- ")
                .or_else(|| line.strip_prefix("target/release/matterbook "))
                .or_else(|| line.strip_prefix("sudo -u matterbook matterbook "))
                .or_else(|| line.strip_prefix("matterbook "))
        });
    let mut count = 0;
    for command in commands {
        // Help is printed once everything before it was understood.
        // Where the output goes is the shell's.
        let command = command.split(" > ").next().unwrap_or(command);
        let arguments: Vec<_> = command.split_whitespace().chain(["--help"]).collect();
        let output = run(&arguments);
        assert!(output.status.success(), "matterbook {command}: {}", String::from_utf8_lossy(&output.stderr));
        count += 1;
    }
    assert!(count > 15, "{count} commands were found");
}

#[test]
fn the_sample_spreadsheet_is_checked_as_the_quick_start_says() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/clients.csv");
    let output = run(&["check", sample]);
    let report = String::from_utf8(output.stdout).expect("text");
    for line in [
        "5 rows",
        "  3 rows taken, with values repaired",
        "  1 row taken as the client of an earlier row",
        "  1 row not taken: something is wrong with it",
    ] {
        assert!(report.lines().any(|shown| shown == line), "{line}\nis not in\n{report}");
    }
    for page in [README, QUICK_START] {
        assert!(page.contains("check examples/clients.csv"));
    }
}
