//! The kinds of store that are simulated.

use std::rc::Rc;

use matterbook_core::store::{ConsoleStore, OperatorStore, Store};
use matterbook_store_sql::{SqlStore, driver::Driver};

use super::{
    AnyConsoleStore, Meeting,
    run::Simulated,
    store::{Batches, WholeVerbs},
};

/// A store each of whose verbs is one unit: the store in memory, and SQLite as the native host has it.
pub struct Whole<S>(Rc<S>);

impl<S: Store + OperatorStore + ConsoleStore + 'static> Whole<S> {
    /// That store, simulated.
    pub fn new(store: S) -> Self {
        Self(Rc::new(store))
    }
}

impl<S: Store + OperatorStore + ConsoleStore + 'static> Simulated for Whole<S> {
    fn machine(&self, meeting: &Meeting) -> AnyConsoleStore {
        let store = WholeVerbs { store: Rc::clone(&self.0), meeting: Some(meeting.clone()) };
        AnyConsoleStore::of_machine(store, meeting)
    }

    fn auditor(&self) -> AnyConsoleStore {
        AnyConsoleStore::new(WholeVerbs { store: Rc::clone(&self.0), meeting: None })
    }
}

/// The SQL store over a driver that runs batches, with others in between: D1. Each machine has a store of its
/// own over it.
pub struct InBatches<D>(Rc<D>);

impl<D: Driver + 'static> InBatches<D> {
    /// The store over that driver, simulated.
    pub fn new(driver: D) -> Self {
        Self(Rc::new(driver))
    }
}

impl<D: Driver + 'static> Simulated for InBatches<D> {
    fn machine(&self, meeting: &Meeting) -> AnyConsoleStore {
        let driver = Batches { driver: Rc::clone(&self.0), meeting: Some(meeting.clone()) };
        AnyConsoleStore::of_machine(SqlStore::new(driver), meeting)
    }

    fn auditor(&self) -> AnyConsoleStore {
        AnyConsoleStore::new(SqlStore::new(Batches { driver: Rc::clone(&self.0), meeting: None }))
    }
}
