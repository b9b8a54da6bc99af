//! The settings that the documentation lists are those that are read: each variable, its flag, its
//! default and its largest value.

use std::{cell::RefCell, collections::BTreeSet, process::Command};

use matterbook::settings::{NativeSettings, VARIABLES};
use matterbook_core::key::KEY_SECRET;

const DEPLOY: &str = include_str!("../../docs/deploy-native.md");
const README: &str = include_str!("../../README.md");

/// A row of a table of settings.
struct Row {
    variable: String,
    flag: &'static str,
    default: &'static str,
    meaning: &'static str,
}

#[test]
fn the_page_on_running_it_lists_every_setting_with_its_default() {
    check(&rows_of_deploy());
}

#[test]
fn every_setting_that_is_read_is_in_the_list_of_variables() {
    let read = RefCell::new(BTreeSet::new());
    let _ = NativeSettings::read(|name| {
        read.borrow_mut().insert(name.to_owned());
        None
    });
    assert_eq!(read.into_inner(), VARIABLES.into_iter().chain([KEY_SECRET]).map(str::to_owned).collect());
}

#[test]
fn the_readme_lists_every_setting_with_its_default() {
    check(&rows_of_readme());
}

#[test]
fn numbers_go_as_far_as_the_page_says() {
    for Row { variable, default, meaning, .. } in rows_of_deploy() {
        if default.parse::<u64>().is_err() {
            continue;
        }
        let (_, largest) = meaning.split_once("At most ").unwrap_or_else(|| panic!("{variable} has no largest value"));
        let digits = largest.bytes().take_while(u8::is_ascii_digit).count();
        let largest: u64 = largest[..digits].parse().expect("a number");
        assert!(with(&variable, &largest.to_string()).is_some(), "{variable} refuses {largest}");
        assert!(with(&variable, &(largest + 1).to_string()).is_none(), "{variable} takes more than {largest}");
    }
}

#[test]
fn every_setting_has_the_flag_that_the_page_names() {
    let help = Command::new(env!("CARGO_BIN_EXE_matterbook")).args(["serve", "--help"]).output().expect("help");
    let help = String::from_utf8(help.stdout).expect("text");
    for Row { variable, flag, .. } in rows_of_deploy() {
        if variable == KEY_SECRET {
            assert_eq!(flag, "none", "arguments are no place for a secret");
            continue;
        }
        assert!(
            help.split_whitespace().any(|word| word.split('[').next() == Some(flag)),
            "{variable}: there is no {flag} in:\n{help}"
        );
        assert_eq!(flag.trim_start_matches('-').replace('-', "_").to_uppercase(), variable["MATTERBOOK_".len()..]);
    }
}

fn check(rows: &[Row]) {
    let read = RefCell::new(BTreeSet::new());
    let defaults = NativeSettings::read(|name| {
        read.borrow_mut().insert(name.to_owned());
        None
    });
    let documented: BTreeSet<_> = rows.iter().map(|row| row.variable.clone()).collect();
    assert_eq!(documented, read.into_inner());

    let defaults = defaults.ok();
    for Row { variable, default, .. } in rows.iter().filter(|row| row.default != "none") {
        assert_eq!(with(variable, default), defaults, "{variable}");
    }
}

/// The settings where one variable has a value and the others have none.
fn with(variable: &str, value: &str) -> Option<NativeSettings> {
    NativeSettings::read(|name| (name == variable).then(|| value.to_owned())).ok()
}

fn rows_of_deploy() -> Vec<Row> {
    let lines = DEPLOY.lines().filter(|line| line.starts_with("| `MATTERBOOK_"));
    lines
        .map(|line| match cells(line).as_slice() {
            [variable, flag, default, meaning] => Row { variable: (*variable).to_owned(), flag, default, meaning },
            _ => panic!("not a setting: {line}"),
        })
        .collect()
}

fn rows_of_readme() -> Vec<Row> {
    let (_, table) = README.split_once("| setting |").expect("the table of settings");
    let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    lines
        .map(|line| match cells(line).as_slice() {
            [name, default, meaning] => Row { variable: format!("MATTERBOOK_{name}"), flag: "", default, meaning },
            _ => panic!("not a setting: {line}"),
        })
        .collect()
}

fn cells(line: &'static str) -> Vec<&'static str> {
    line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect()
}
