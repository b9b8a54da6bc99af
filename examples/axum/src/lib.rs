//! The whole service behind axum. The core decides every path, status and body; this file is all that a host
//! adds.
//!
//! The store is in memory. Replace it with your own store to build your own service.

use std::time::{Duration, SystemTime};

use axum::Router;
use matterbook_core::api::Api;
use matterbook_core::memory::{MemoryRateLimiter, MemoryStore};
use matterbook_core::{key::KeySecrets, platform::Platform, settings::Settings, time::Timestamp};
use matterbook_tower::ApiService;

/// Routes every path to the core. A body that takes longer than `body_timeout` is answered 408.
pub fn router(settings: Settings, key_secrets: KeySecrets, body_timeout: Duration) -> Router {
    let rate_limiter = MemoryRateLimiter::default();
    let api = Api::new(MemoryStore::default(), rate_limiter, SystemPlatform, settings, key_secrets);
    let service =
        ApiService::new(api.with_viewer(&matterbook_viewer::VIEWER), move || tokio::time::sleep(body_timeout))
            .with_files(matterbook_viewer::content)
            .with_log(|handled| {
                if let Some(cause) = &handled.cause {
                    eprintln!("{} {}: {cause}", handled.request_id, handled.route);
                }
            });
    Router::new().fallback_service(service)
}

struct SystemPlatform;

impl Platform for SystemPlatform {
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn random(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        bytes
    }
}
