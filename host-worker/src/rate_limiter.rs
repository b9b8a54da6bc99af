//! The exact rate limit: one request to the Durable Object of the key, and another where it fails (rule W19).

use std::time::Duration;

use js_sys::Math;
use matterbook_core::{
    key::KeyDigest,
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError},
    time::Timestamp,
};
use worker::{Delay, ObjectNamespace};

use crate::{
    account_object::AccountDatabase,
    platform,
    rate_limit_object::{parse_decision, url},
};

/// The most attempts.
const ATTEMPTS_MAX: u32 = 3;

/// The longest wait before the second attempt; twice as long before the third.
const WAIT_MS_MAX: f64 = 100.0;

/// A rate limiter that asks again when it fails. A deployment resets every object, and a connection to one may be
/// lost. A request that was counted although its answer was lost then counts twice, so never more are let through.
pub(crate) struct Repeated<L>(pub(crate) L);

impl<L: RateLimiter> RateLimiter for Repeated<L> {
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        let mut attempt = 1;
        loop {
            match self.0.check(key, limit, now).await {
                Err(error) if attempt < ATTEMPTS_MAX && !error.0.contains("overloaded") => {
                    let wait_ms = WAIT_MS_MAX * f64::from(attempt) * Math::random();
                    Delay::from(Duration::from_secs_f64(wait_ms / 1_000.0)).await;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }
}

/// The rate limiter of one request: that of the account's object, or else an object for each key.
pub(crate) struct DurableRateLimiter {
    namespace: ObjectNamespace,
    account: Option<AccountDatabase>,
}

impl DurableRateLimiter {
    pub(crate) const fn new(namespace: ObjectNamespace, account: Option<AccountDatabase>) -> Self {
        Self { namespace, account }
    }

    async fn ask(&self, key: &KeyDigest, limit: u32) -> worker::Result<Option<RateDecision>> {
        let object = self.namespace.get_by_name(&key.to_text())?;
        let mut response = object.fetch_with_str(&url(limit)).await?;
        Ok(parse_decision(&response.text().await?))
    }
}

impl RateLimiter for DurableRateLimiter {
    async fn check(&self, key: &KeyDigest, limit: u32, _: Timestamp) -> Result<RateDecision, RateLimiterError> {
        if let Some(account) = &self.account {
            let decision = account.check(key, limit, platform::now());
            return decision.map_err(|_| RateLimiterError("the account's object keeps no times".to_owned()));
        }
        match self.ask(key, limit).await {
            Ok(Some(decision)) => Ok(decision),
            Ok(None) => Err(RateLimiterError("the rate limit's object sent a malformed response".to_owned())),
            Err(error) => Err(RateLimiterError(error.to_string())),
        }
    }
}
