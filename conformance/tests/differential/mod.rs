//! Random sequences of requests get the same bytes from every service: over the store in memory, over
//! the SQL store in both of its forms, and from the Worker in both of its profiles. The service over the second form and
//! the Worker on D1 also cache the keys that they saw (rule A8).
//! Clock and random bytes are the same in each, so ids and times are too. Only a cursor may stand
//! elsewhere between the same two rows.

mod operation;
mod side_by_side;
mod world;

use std::{cell::RefCell, ops::Range};

use operation::{Operation, operation};
use proptest::{
    collection::vec,
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner},
};
use side_by_side::Services;
use world::World;

/// How many Workers on D1 answer sequences at once.
const WORKERS: u32 = 4;

/// How many Workers with an object for each account answer sequences at the same time.
const OBJECT_WORKERS: u32 = 1;

/// How long a failing sequence is made shorter.
const SHRINKING_MILLISECONDS_MAX: u32 = 120_000;

#[test]
fn every_store_gives_the_same_answers() {
    hold(0, 192, 1..40, |operations| run(0, operations, &Services::in_process()));
}

/// The services live on from sequence to sequence, each of which has an account of its own, so that
/// later ones meet what earlier ones left. After a failure they start afresh. Most of a sequence is waiting for
/// the Worker, so several Workers run at once.
#[test]
fn the_worker_gives_the_same_answers() {
    std::thread::scope(|scope| {
        for worker in 0..WORKERS + OBJECT_WORKERS {
            let profile = if worker < WORKERS { "d1" } else { "objects" };
            scope.spawn(move || {
                let living = RefCell::new(None);
                hold(worker, 128 / WORKERS, 40..80, |operations| {
                    let (sequence, services) = living.take().unwrap_or_else(|| (0, Services::with_the_worker(profile)));
                    run(sequence, operations, &services)?;
                    living.replace(Some((sequence + 1, services)));
                    Ok(())
                });
            });
        }
    });
}

/// Does what a sequence says at all services.
fn run(sequence: usize, operations: &[Operation], services: &Services) -> Result<(), TestCaseError> {
    let mut world = World::new(sequence, services)?;
    std::iter::once(&Operation::NewKey).chain(operations).try_for_each(|operation| world.act(operation, services))
}

/// Tries so many random sequences of these lengths. A failure names the seed that brings the same
/// sequences again, and the shortest sequence found that fails. Of a given seed, each `part` of a test has its own.
fn hold(part: u32, sequences: u32, lengths: Range<usize>, test: impl Fn(&[Operation]) -> Result<(), TestCaseError>) {
    let mut config = Config {
        cases: sequences,
        max_shrink_time: SHRINKING_MILLISECONDS_MAX,
        failure_persistence: None,
        ..Config::default()
    };
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed.wrapping_add(u64::from(part)),
        RngSeed::Random => any_seed(),
    };
    config.rng_seed = RngSeed::Fixed(seed);
    let outcome = TestRunner::new(config).run(&vec(operation(), lengths), |operations| test(&operations));
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, operations)) => {
            let operations: String = operations.iter().map(|operation| format!("\n  {operation:?}")).collect();
            panic!("{reason}\nafter{operations}\nThe same sequences again: PROPTEST_RNG_SEED={seed}")
        }
        Err(error) => panic!("{error}"),
    }
}

/// A seed of proptest's own making, so that it can be named.
fn any_seed() -> u64 {
    let drawn = any::<u64>().new_tree(&mut TestRunner::default());
    drawn.expect("every number will do").current()
}
