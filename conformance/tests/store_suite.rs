//! The store's own suite over each store.

use matterbook_conformance::store_suite::{StoreUnderTest, cases};
use matterbook_core::{memory::MemoryStore, store::Store};

/// Runs every case; all that fail are told at once.
async fn check(under: &impl StoreUnderTest) {
    let mut failures = Vec::new();
    for case in cases() {
        if let Err(failure) = case.run(under).await {
            failures.push(format!("{} ({}): {failure}", case.name, case.rule));
        }
    }
    assert!(failures.is_empty(), "{} cases failed:\n\n{}", failures.len(), failures.join("\n\n"));
}

struct InMemory;

impl StoreUnderTest for InMemory {
    async fn fresh(&self) -> impl Store {
        MemoryStore::default()
    }
}

#[tokio::test]
async fn memory_store_holds_every_rule() {
    check(&InMemory).await;
}
