//! Stores that are broken on purpose, one fault each, with the case of the
//! [store suite](matterbook_store_suite) that must notice.
//!
//! A passing suite proves little unless it is known what it catches. Each mutant is the store in
//! memory behind a thin wrapper with one defect.

mod broken;
mod changes;
mod history;
mod keys;
mod list;
mod operator;
mod prospects;
mod review;
mod rules;
mod similar;
mod views;

use std::{future::Future, marker::PhantomData, pin::Pin};

use matterbook_core::store::{OperatorStore, Store};

use crate::simulation::AnyConsoleStore;
use broken::{Broken, Fault};
pub use list::{mutants, of_the_rules};
use matterbook_store_suite::{CaseResult, StoreUnderTest, cases};

/// A broken store, and who must notice.
pub struct Mutant {
    /// What it gets wrong.
    pub name: &'static str,
    /// The cases that must fail on it, and pass on the sound store.
    pub caught_by: &'static [&'static str],
    run: fn(&'static str) -> Running,
    store: fn() -> AnyConsoleStore,
}

type Running = Pin<Box<dyn Future<Output = CaseResult>>>;

impl Mutant {
    /// Runs the suite's case of that name over the mutant.
    ///
    /// # Errors
    /// What the case found, as it should.
    pub async fn run(&self, case: &'static str) -> CaseResult {
        (self.run)(case).await
    }

    /// The broken store itself, with nothing in it.
    #[must_use]
    pub fn store(&self) -> AnyConsoleStore {
        (self.store)()
    }
}

/// A mutant as the suite meets it.
struct UnderTest<F>(PhantomData<F>);

impl<F: Fault> StoreUnderTest for UnderTest<F> {
    async fn fresh(&self) -> impl Store + OperatorStore {
        Broken::<F>::default()
    }
}

fn mutant<F: Fault + 'static>(name: &'static str, caught_by: &'static [&'static str]) -> Mutant {
    let run = |name| -> Running {
        Box::pin(async move {
            match cases().into_iter().find(|case| case.name == name) {
                Some(case) => case.run(&UnderTest::<F>(PhantomData)).await,
                // A case that is not there catches nothing.
                None => Ok(()),
            }
        })
    };
    Mutant { name, caught_by, run, store: || AnyConsoleStore::new(Broken::<F>::default()) }
}
