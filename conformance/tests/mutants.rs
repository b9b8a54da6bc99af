//! Every store that is broken on purpose is caught by the case that is named for it.

use matterbook_conformance::mutants::mutants;
use matterbook_core::{
    memory::MemoryStore,
    store::{OperatorStore, Store},
};
use matterbook_store_suite::{StoreUnderTest, cases};

struct Sound;

impl StoreUnderTest for Sound {
    async fn fresh(&self) -> impl Store + OperatorStore {
        MemoryStore::default()
    }
}

#[tokio::test]
async fn named_case_fails_on_its_mutant_and_passes_on_the_sound_store() {
    let mut unnoticed = Vec::new();
    for mutant in mutants() {
        for name in mutant.caught_by {
            let case = cases().into_iter().find(|case| case.name == *name);
            let case = case.unwrap_or_else(|| panic!("{}: the suite has no case {name}", mutant.name));
            assert_eq!(case.run(&Sound).await, Ok(()), "{name} fails on the sound store");
            match mutant.run(name).await {
                Err(failure) => println!("{}: {failure}\n", mutant.name),
                Ok(()) => unnoticed.push(format!("{} gets past {name}", mutant.name)),
            }
        }
    }
    assert!(unnoticed.is_empty(), "{}", unnoticed.join("\n"));
}

#[test]
fn every_rule_has_a_case_and_a_mutant() {
    let cases = cases();
    let mutants = mutants();
    for rule in (1..=17).map(|number| format!("S{number}")) {
        let of_rule: Vec<_> = cases.iter().filter(|case| case.rule == rule).map(|case| case.name).collect();
        assert!(!of_rule.is_empty(), "{rule} has no case");
        let is_broken = mutants.iter().any(|mutant| mutant.caught_by.iter().any(|name| of_rule.contains(name)));
        assert!(is_broken, "no mutant breaks {rule}");
    }
}
