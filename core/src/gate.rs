//! The exact sliding rate limit (reference section 8, design section 3): the rule, and the trait
//! of whoever keeps its state.

use crate::{key::KeyDigest, time::Timestamp};

/// The answer of the gate to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Whether the request is let through.
    pub admitted: bool,
    /// How many more are let through right now.
    pub remaining: u32,
    /// Whole seconds until the oldest counted request leaves the window, 60 if none is counted.
    pub reset_seconds: u32,
    /// Whole seconds, at least 1, after which a refused request will be let through if none is
    /// made meanwhile. 0 when it was admitted.
    pub retry_after_seconds: u32,
}

/// Keeps one [`SlidingLog`] a key. Only live keys are asked about, so unknown keys create none.
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait Gate {
    /// Counts one request of the key, unless it is over the limit. `limit` is at least 1.
    ///
    /// # Errors
    /// When the state cannot be reached; the request is answered 500 then. The text is private.
    async fn admit(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<Admission, GateError>;
}

/// Why the gate did not answer. Private: for the log only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rate limit's state cannot be reached: {0}")]
pub struct GateError(pub String);
