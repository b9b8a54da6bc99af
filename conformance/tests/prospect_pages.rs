//! The pages of prospects under random interleavings of imports, erasures, grants, page reads and time.

use crate::support::{Form, Shared, block_on, database};
use matterbook_core::memory::MemoryStore;
use matterbook_store_sql::SqlStore;
use matterbook_store_suite::{AnyStore, CaseResult, prospects_agree_with_model};
use proptest::prelude::*;

fn check(outcome: CaseResult) -> Result<(), TestCaseError> {
    outcome.map_err(|failure| TestCaseError::fail(failure.to_string()))
}

fn in_sql() -> AnyStore<'static> {
    AnyStore::new(SqlStore::new(Shared::new(&database(), Form::Set)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn prospects_in_memory_agree_with_model(seed: u64) {
        check(block_on(prospects_agree_with_model(AnyStore::new(MemoryStore::default()), seed)))?;
    }

    #[test]
    fn prospects_in_sql_agree_with_model(seed: u64) {
        check(block_on(prospects_agree_with_model(in_sql(), seed)))?;
    }
}
