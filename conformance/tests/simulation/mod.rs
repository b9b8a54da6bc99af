//! The service is simulated with faults, over every kind of store; what such runs have found stays fixed;
//! and each store that is broken on purpose is found.
//!
//! The seeds here are few and always the same. `--example simulate` draws new ones for as long as it is told
//! to.

mod kinds;
mod mistakes;

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use crate::services::sqlite;
use matterbook_conformance::{
    mutants,
    simulation::{Failure, InBatches, Simulated, Step, Tally, Whole, draw_steps, read_steps, run, shrink, write_steps},
};

use kinds::Kind;
use mistakes::{MISTAKES, Mistaken};

/// Steps of a run.
const STEPS: usize = 300;

/// The seeds of each kind of store. Those in memory cost least.
const fn seeds(kind: Kind) -> std::ops::Range<u64> {
    match kind {
        Kind::Memory => 0..200,
        Kind::Rows => 0..40,
        Kind::Sets => 0..120,
    }
}

/// What simulations have found, and what they have to reach, each with its story.
const FOUND: [(&str, &str); 17] = [
    ("a date corrected and corrected back", include_str!("found/corrected_and_back.txt")),
    ("a page by a slower clock", include_str!("found/slower_clock.txt")),
    ("a revocation that was done, and denied", include_str!("found/done_and_denied.txt")),
    ("a client that changed between two clocks", include_str!("found/changed_between_clocks.txt")),
    ("the saved answer of a late conflict", include_str!("found/saved_answer_of_a_late_conflict.txt")),
    ("an external id that an undo took back", include_str!("found/external_id_taken_back.txt")),
    ("two settlements of one client and one date", include_str!("found/two_settlements_of_one_date.txt")),
    ("what waits, of an erased client", include_str!("found/review_of_an_erased_client.txt")),
    ("an alias, taken and given again", include_str!("found/alias_taken_and_given_again.txt")),
    ("an import, taken back in batches", include_str!("found/import_taken_back_in_batches.txt")),
    ("a key after its revocation", include_str!("found/key_after_its_revocation.txt")),
    ("an alias of an erased client, given again", include_str!("found/alias_of_an_erased_client.txt")),
    ("two decisions about one item at once", include_str!("found/two_decisions_about_one_item.txt")),
    ("a decided item that came again, and an undo", include_str!("found/decided_item_that_came_again.txt")),
    ("a decided item of an erased client", include_str!("found/decided_item_of_an_erased_client.txt")),
    ("a decided item that came well", include_str!("found/decided_item_that_came_well.txt")),
    ("an import of two clocks", include_str!("found/import_of_two_clocks.txt")),
];

/// Runs the seeds of a kind of store, each of which has to keep every promise.
fn check(kind: Kind) {
    let (mut faults, mut changes) = (0, 0);
    for seed in seeds(kind) {
        let steps = draw_steps(seed, STEPS);
        match run(&steps, &*kind.fresh()) {
            Ok(tally) => {
                faults += tally.faults;
                changes += tally.changes;
            }
            Err(failure) => {
                let store = kind.name();
                panic!(
                    "seed {seed} breaks a promise; to shorten it: simulate --seed {seed} --store {store}\n{failure}"
                );
            }
        }
    }
    let runs = seeds(kind).end;
    assert!(faults > runs && changes > 5 * runs, "{runs} runs met only {faults} faults and {changes} changes");
}

#[test]
fn every_promise_holds_in_memory() {
    check(Kind::Memory);
}

#[test]
fn every_promise_holds_on_sqlite_in_transactions() {
    check(Kind::Rows);
}

#[test]
fn every_promise_holds_on_sqlite_in_batches() {
    check(Kind::Sets);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for kind in Kind::ALL {
        let once = || -> Result<Tally, Failure> { run(&draw_steps(7, STEPS), &*kind.fresh()) };
        assert_eq!(once(), once(), "{}", kind.name());
    }
}

#[test]
fn steps_are_read_as_they_are_written() {
    for seed in 0..20 {
        let steps = draw_steps(seed, STEPS);
        assert_eq!(read_steps(&write_steps(&steps)), Ok(steps), "seed {seed}");
    }
}

#[test]
fn runs_that_once_failed_pass_on_every_store() {
    for (name, text) in FOUND {
        let steps = read_steps(text).expect("steps");
        for kind in Kind::ALL {
            if let Err(failure) = run(&steps, &*kind.fresh()) {
                panic!("{name}, {}: {failure}", kind.name());
            }
        }
    }
}

#[test]
fn shrinking_shortens_a_failing_run_and_keeps_its_failure() {
    let mutants = mutants::of_the_rules();
    let mutant = mutants.iter().find(|mutant| mutant.name == "blank erases").expect("the mutant");
    let store = || Box::new(Whole::new(mutant.store())) as Box<dyn Simulated>;
    let (seed, failure) = first_that_finds(Kind::Memory, store).expect("a seed that finds it");
    let is_it = |steps: &[Step]| run(steps, &*store()).is_err_and(|found| found.promise == failure.promise);
    let shortest = write_steps(&shrink(draw_steps(seed, STEPS), is_it));
    assert!(is_it(&read_steps(&shortest).expect("steps")), "{shortest}");
    // Somebody with a city, and a change that does not give it.
    assert!(shortest.lines().count() <= 5, "{shortest}");
}

/// The first seed of a kind that finds something wrong with a store, and what. What is rare is looked for in more runs
/// than the sound stores take.
fn first_that_finds(kind: Kind, store: impl Fn() -> Box<dyn Simulated>) -> Option<(u64, Failure)> {
    (0..2 * seeds(kind).end)
        .find_map(|seed| run(&draw_steps(seed, STEPS), &*store()).err().map(|failure| (seed, failure)))
}

fn report(name: &str, found: Option<(u64, Failure)>, missed: &mut Vec<String>) {
    match found {
        Some((seed, failure)) => println!("{name}: seed {seed}, {}", failure.promise),
        None => missed.push(name.to_owned()),
    }
}

#[test]
fn each_mistake_of_a_sql_store_is_found() {
    // One after the other they take longer than all other tests of this program.
    let next = AtomicUsize::new(0);
    let find = || {
        let mut found = Vec::new();
        while let Some(&(name, mistake)) = MISTAKES.get(next.fetch_add(1, Ordering::Relaxed)) {
            let store = || Box::new(InBatches::new(Mistaken::new(mistake))) as Box<dyn Simulated>;
            // What chance meets rarely has a run of its own.
            let by_hand = FOUND.iter().any(|(_, text)| run(&read_steps(text).expect("steps"), &*store()).is_err());
            if !by_hand {
                found.push((name, first_that_finds(Kind::Sets, store)));
            }
        }
        found
    };
    let mut missed = Vec::new();
    thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(find)).collect();
        for (name, found) in threads.into_iter().flat_map(|thread| thread.join().expect("no panic")) {
            report(name, found, &mut missed);
        }
    });
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

/// Broken stores that behave in nothing that is simulated.
const NOT_SIMULATED: [&str; 44] = [
    // Prospects, the operator's log, logins, ends and uses of keys, and the time of a revocation are the store suite's.
    "a county that was taken back still shows",
    "a grant's date is ignored",
    "prospects show at once",
    "grants are remembered",
    "the newest are the oldest",
    "the newest have no earliest time",
    "imports go back with the clock",
    "an erased prospect comes back",
    "an import erases what it does not give",
    "a log entry is missing",
    "refusals are logged",
    "the log ends with its first page",
    "an account's last commit is not shown",
    "finds clients without the values that are looked for",
    "makes a removed login view-only instead",
    "log entries are deleted early",
    "old log entries are never deleted",
    "any login makes keys",
    "forgets the secrets of keys",
    "gives a taken number to a second account",
    "a second revocation moves the first",
    "a key works past its end",
    "an earlier use of a key takes the place of a later one",
    "an import that changes nothing moves time",
    // No model says how a client was found.
    "a history forgets how a client was found",
    // A run is shorter than 90 days, and little waits in it.
    "what waits never ends",
    "what waits ends with its first page",
    // The simulation compares no clients.
    "a comparison forgets what was decided",
    "pairs of an erased client stay",
    "pairs of another account are shown",
    "the feed tells of no pair",
    "pairs end with their first page",
    "former addresses are forgotten",
    "a former address stays one after the client is back or erased",
    "a request sees pairs that it does not name",
    "a request sees the pairs of the smaller id alone",
    // No simulated address has a unit.
    "units are not compared",
    // A few people have few namesakes, and pages are filtered by external id alone.
    "every client of a name is shown",
    "of many namesakes those without an external id are cut",
    "the e-mail asked for is ignored",
    "the name asked for is ignored",
    // A page of the store in memory is never short.
    "a short page ends the walk",
    // The service never asks a store twice for one request; a SQL store that forgets them is below.
    "a commit whose answer was lost is repeated",
    // It only makes a decision again.
    "any change in the account makes a decision stale",
];

#[test]
fn each_broken_store_is_found() {
    let mut missed = Vec::new();
    let all = mutants::mutants().into_iter().chain(mutants::of_the_rules());
    for mutant in all.filter(|mutant| !NOT_SIMULATED.contains(&mutant.name)) {
        let found = first_that_finds(Kind::Memory, || Box::new(Whole::new(mutant.store())));
        report(mutant.name, found, &mut missed);
    }
    assert!(missed.is_empty(), "not found: {missed:#?}");
}
