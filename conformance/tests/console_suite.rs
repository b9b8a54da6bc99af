//! The console's cases over each store that needs no host, and the stores that break its rules.

use std::collections::BTreeSet;

use crate::support::{Form, Shared, block_on, database};
use matterbook_core::{
    memory::MemoryStore,
    store::{ConsoleStore, OperatorStore, Store},
};
use matterbook_store_sql::SqlStore;
use matterbook_store_suite::{console_cases, console_mutants};

/// Runs every case; all that fail are told at once.
fn check<S: Store + OperatorStore + ConsoleStore + Clone>(fresh: impl Fn() -> S) {
    let mut failures = Vec::new();
    for case in console_cases() {
        if let Err(failure) = block_on(case.run(fresh())) {
            failures.push(format!("{} ({}): {failure}", case.name, case.rule));
        }
    }
    assert!(failures.is_empty(), "{} cases failed:\n\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn memory_store_holds_every_rule_of_the_console() {
    check(MemoryStore::default);
}

#[test]
fn sql_store_in_transactions_holds_every_rule_of_the_console() {
    check(|| SqlStore::new(Shared::new(&database(), Form::Rows)));
}

#[test]
fn sql_store_in_batches_holds_every_rule_of_the_console() {
    check(|| SqlStore::new(Shared::new(&database(), Form::Set)));
}

#[test]
fn every_store_that_breaks_a_rule_of_the_console_is_noticed() {
    let mut unnoticed = Vec::new();
    for mutant in console_mutants() {
        match block_on(mutant.run()) {
            Err(failure) => println!("{}: {failure}\n", mutant.name),
            Ok(()) => unnoticed.push(format!("{} gets past {}", mutant.name, mutant.caught_by)),
        }
    }
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

#[test]
fn every_rule_of_the_console_has_a_case_and_a_mutant() {
    let cases = console_cases();
    for rule in (30..=37).map(|number| format!("S{number}")) {
        let of_rule: BTreeSet<_> = cases.iter().filter(|case| case.rule == rule).map(|case| case.name).collect();
        assert!(!of_rule.is_empty(), "{rule} has no case");
        assert!(console_mutants().iter().any(|mutant| of_rule.contains(mutant.caught_by)), "no mutant breaks {rule}");
    }
}
