//! The services that the suite's own tests run it on.

pub mod native;
pub mod sqlite;
pub mod worker;

use std::sync::{Arc, OnceLock};

use matterbook_conformance::wire::InProcess;
use matterbook_core::{
    api::Api,
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    rate_limiter::RateLimiter,
    settings::Settings,
    store::Store,
    time::Timestamp,
};
use tokio::runtime::Runtime;

pub const OPERATOR_TOKEN: &str = "the-operator-token-of-all-the-tests";

/// A service in process over one of the stores.
pub type Over<S> = InProcess<S, MemoryRateLimiter, ManualPlatform>;

/// The settings of every service here: the defaults, with an operator.
pub fn settings() -> Settings {
    Settings { operator_token: Some(OPERATOR_TOKEN.to_owned()), ..Settings::default() }
}

/// The first moment of 2026.
pub fn start() -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000)
}

/// One runtime for all services of a test program.
pub fn runtime() -> Arc<Runtime> {
    static RUNTIME: OnceLock<Arc<Runtime>> = OnceLock::new();
    Arc::clone(RUNTIME.get_or_init(|| {
        Arc::new(
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("a runtime"),
        )
    }))
}

/// A service over a store of its own, at the first moment of 2026.
pub fn over<S: Store>(store: S) -> Over<S> {
    over_with(store, settings(), ManualPlatform::new(start()))
}

/// A service over a store, with settings and a platform.
pub fn over_with<S: Store>(store: S, settings: Settings, platform: ManualPlatform) -> Over<S> {
    in_process(Api::new(store, MemoryRateLimiter::default(), platform.clone(), settings, test_key_secrets()), platform)
}

/// A service like [`over_with`] that remembers the keys that it saw live, as the Worker does.
pub fn remembering<S: Store>(store: S, settings: Settings, platform: ManualPlatform) -> Over<S> {
    let api = Api::new(store, MemoryRateLimiter::default(), platform.clone(), settings, test_key_secrets())
        .with_seen_keys(Arc::default());
    in_process(api, platform)
}

/// An `Api` as the suite meets it.
pub fn in_process<S: Store, L: RateLimiter>(
    api: Api<S, L, ManualPlatform>,
    platform: ManualPlatform,
) -> InProcess<S, L, ManualPlatform> {
    let api = api.with_viewer(&matterbook_viewer::VIEWER);
    InProcess::new(api, platform, ManualPlatform::advance, runtime(), OPERATOR_TOKEN)
        .expect("a service that says how it is set up")
}

/// A service over the store in memory, without a description of its API.
pub fn over_memory_without_viewer() -> Over<MemoryStore> {
    let platform = ManualPlatform::new(start());
    let store = MemoryStore::default();
    let api = Api::new(store, MemoryRateLimiter::default(), platform.clone(), settings(), test_key_secrets());
    InProcess::new(api, platform, ManualPlatform::advance, runtime(), OPERATOR_TOKEN).expect("a service")
}

/// A service over the store in memory.
pub fn over_memory() -> Over<MemoryStore> {
    over(MemoryStore::default())
}
