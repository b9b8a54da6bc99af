//! What holds for whatever callers send, tried on the whole service in process.

mod any_json;
mod batches;
mod blank;
mod people;
mod plans;
mod read_back;
mod tampering;
mod undo;

use matterbook_conformance::wire::{Failure, Firm, Service};
use matterbook_core::{
    memory::{ManualPlatform, MemoryStore},
    settings::Settings,
};
use proptest::test_runner::{Config, TestCaseError};
use serde_json::Value;

/// So many cases of each property, or as many as `PROPTEST_CASES` says, and no files of failures: the message holds the
/// input.
fn cases(count: u32) -> Config {
    let default = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() { default } else { Config { cases: count, ..default } }
}

/// A service without a rate limit, over an empty store.
fn service() -> crate::services::Over<MemoryStore> {
    let settings = Settings { rate_limit_per_minute: 0, ..crate::services::settings() };
    crate::services::over_with(MemoryStore::default(), settings, ManualPlatform::new(crate::services::start()))
}

/// A broken expectation of the suite, as one of a property.
fn failed(failure: Failure) -> TestCaseError {
    TestCaseError::fail(failure.to_string())
}

/// Every client of the firm as it is now, ids and all, and its settlements.
fn state(service: &dyn Service, firm: &Firm<'_>) -> Result<(Vec<Value>, Vec<Value>), TestCaseError> {
    service.elapse(std::time::Duration::from_secs(service.facts().client_delay_seconds + 1));
    let clients = firm.walk_clients("limit=100").map_err(failed)?;
    Ok((clients, firm.settlements().map_err(failed)?))
}
