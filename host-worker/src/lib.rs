//! Matterbook on Cloudflare Workers: the rules of `matterbook_core` over D1, with one Durable Object
//! for each key as the exact rate limit.
//!
//! This crate has transport, driver, clock, random bytes, rate-limit state and log. It matches no path,
//! parses no body, chooses no status and contains no SQL.
#![cfg(target_arch = "wasm32")]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod account_object;
mod database;
mod files;
#[cfg(feature = "test-hooks")]
mod hooks;
mod log;
#[cfg(feature = "console")]
mod passkeys;
mod platform;
mod rate_limit_object;
mod rate_limiter;
mod request;
mod response;
mod service;
mod text;

use worker::{Context, Env, event, worker_sys::web_sys};

pub use account_object::{account_fetch, account_of, compare_due};
pub use rate_limit_object::RateLimit;

/// Handles one request.
#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, _: Context) -> worker::Result<web_sys::Response> {
    service::handle(request, &env, None).await
}
