//! The delayed view under any interleaving of writes, page reads and time: each page is the
//! model's, and each walk keeps the three promises of design section 7.

#[path = "../../store-sql/tests/support/mod.rs"]
mod support;

use matterbook_conformance::store_suite::delayed_view_agrees_with_model;
use matterbook_core::{memory::MemoryStore, store::Store};
use matterbook_store_sql::SqlStore;
use proptest::prelude::*;
use support::{Form, Shared, block_on, database};

fn check(store: impl Store, seed: u64) -> Result<(), TestCaseError> {
    let outcome = block_on(delayed_view_agrees_with_model(store, seed));
    outcome.map_err(|failure| TestCaseError::fail(failure.to_string()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn memory_store_agrees_with_model(seed: u64) {
        check(MemoryStore::default(), seed)?;
    }

    #[test]
    fn sql_store_agrees_with_model(seed: u64) {
        check(SqlStore::new(Shared::new(&database(), Form::Set)), seed)?;
    }
}
