//! The exact rate limit: one request to the Durable Object of the key.

use matterbook_core::{
    key::KeyDigest,
    rate_limiter::{RateDecision, RateLimiter, RateLimiterError},
    time::Timestamp,
};
use worker::ObjectNamespace;

use crate::rate_limit_object::{parse_decision, url};

/// The rate limiter of one request.
pub(crate) struct DurableRateLimiter {
    namespace: ObjectNamespace,
}

impl DurableRateLimiter {
    pub(crate) const fn new(namespace: ObjectNamespace) -> Self {
        Self { namespace }
    }

    async fn ask(&self, key: &KeyDigest, limit: u32) -> worker::Result<Option<RateDecision>> {
        let object = self.namespace.get_by_name(&key.to_text())?;
        let mut response = object.fetch_with_str(&url(limit)).await?;
        Ok(parse_decision(&response.text().await?))
    }
}

impl RateLimiter for DurableRateLimiter {
    async fn check(&self, key: &KeyDigest, limit: u32, _: Timestamp) -> Result<RateDecision, RateLimiterError> {
        match self.ask(key, limit).await {
            Ok(Some(decision)) => Ok(decision),
            Ok(None) => Err(RateLimiterError("the rate limit's object sent a malformed response".to_owned())),
            Err(error) => Err(RateLimiterError(error.to_string())),
        }
    }
}
