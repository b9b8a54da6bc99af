//! A program that reaches the whole core and the whole SQL store. CI builds it for wasm32 and checks that
//! the module has no imports: neither crate needs anything of a host but the traits.

use std::hint::black_box;

use futures_util::FutureExt as _;
use matterbook_core::{
    api::Api,
    key::{KeyDigest, KeySecrets, new_secret},
    platform::Platform,
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError},
    settings::Settings,
    time::Timestamp,
};
use matterbook_store_sql::{
    SqlStore,
    driver::{Driver, DriverError, Isolation, Rows, Statement},
};

/// A database without rows.
struct NoDatabase;

impl Driver for NoDatabase {
    fn isolation(&self) -> Isolation {
        black_box(Isolation::Batch)
    }

    async fn run(&self, batch: &[Statement]) -> Result<Vec<Rows>, DriverError> {
        Ok(black_box(vec![Rows::new(); batch.len()]))
    }

    async fn back_off(&self, _attempt: u32) -> bool {
        false
    }
}

struct AdmitAll;

impl RateLimiter for AdmitAll {
    async fn check(&self, _key: &KeyDigest, limit: u32, _now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        Ok(black_box(RateDecision { allowed: true, remaining: limit, reset_seconds: 60, retry_after_seconds: 0 }))
    }
}

struct FixedPlatform;

impl Platform for FixedPlatform {
    fn now(&self) -> Timestamp {
        black_box(Timestamp::from_micros(1_767_225_600_000_000))
    }

    fn random(&self) -> [u8; 32] {
        black_box([7; 32])
    }
}

fn main() {
    let Ok(secrets) = KeySecrets::parse(&black_box(new_secret([7; 32]))) else { return };
    let api = Api::new(SqlStore::new(NoDatabase), AdmitAll, FixedPlatform, black_box(Settings::default()), secrets);
    let request = http::Request::builder().method(black_box("POST")).uri(black_box("/api/v1/clients"));
    let Ok(request) = request.header("authorization", black_box("Bearer nobody")).body(()) else { return };
    let (head, ()) = request.into_parts();
    let body = black_box(br#"{"clients":[{"last_name":"Example"}]}"#.to_vec());
    black_box(api.handle(head, body).now_or_never());
}
