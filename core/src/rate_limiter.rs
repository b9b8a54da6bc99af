//! The exact sliding rate limit (rules R1 to R6), and the trait of what keeps its state.

use std::collections::VecDeque;

use crate::{key::KeyDigest, order, time::Timestamp};

/// The length of the window in seconds: an allowed request counts for this long.
pub const WINDOW_SECONDS: u32 = 60;

const WINDOW_MICROS: i64 = WINDOW_SECONDS as i64 * Timestamp::SECOND_MICROS;

/// The decision on one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateDecision {
    /// Whether the request is allowed.
    pub allowed: bool,
    /// How many more requests would be allowed now.
    pub remaining: u32,
    /// Whole seconds until the oldest counted request leaves the window, 60 if none is counted.
    pub reset_seconds: u32,
    /// Whole seconds, at least 1, after which a refused request will be allowed if no other is made
    /// meanwhile (rule R3). 0 if it was allowed.
    pub retry_after_seconds: u32,
}

/// Keeps one [`SlidingLog`] for each key. Only live keys get one (rule R2).
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait RateLimiter {
    /// Counts one request of the key, unless it is over the limit. `limit` is at least 1.
    ///
    /// # Errors
    /// When the state cannot be reached. The request is answered 500 (rule R7). The text is private.
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError>;
}

/// A [`RateLimiter`] whose futures are `Send`, for hosts that are generic over it. Each type that implements it is a
/// [`RateLimiter`]. Write its function as `async fn`.
pub trait SendRateLimiter: Send + Sync {
    /// As [`RateLimiter::check`].
    ///
    /// # Errors
    /// As there.
    fn check(
        &self,
        key: &KeyDigest,
        limit: u32,
        now: Timestamp,
    ) -> impl Future<Output = Result<RateDecision, RateLimiterError>> + Send;
}

impl<L: SendRateLimiter> RateLimiter for L {
    async fn check(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<RateDecision, RateLimiterError> {
        SendRateLimiter::check(self, key, limit, now).await
    }
}

/// Why the state could not be reached, for the log only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rate limit's state cannot be reached: {0}")]
pub struct RateLimiterError(pub String);

/// The times at which requests of one key were allowed, oldest first, none older than the window.
///
/// It keeps times, because a counter for each fixed window would admit twice the limit within two seconds.
///
/// ```
/// use matterbook_core::{rate_limiter::SlidingLog, time::Timestamp};
/// let mut log = SlidingLog::default();
/// let start = Timestamp::from_micros(0);
/// assert!(log.check(1, start).allowed);
/// assert_eq!(log.check(1, start.plus_seconds(20)).retry_after_seconds, 40);
/// assert!(log.check(1, start.plus_seconds(60)).allowed);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlidingLog {
    allowed: VecDeque<Timestamp>,
}

impl SlidingLog {
    /// A log with the times of [`SlidingLog::times`], in any order.
    #[must_use]
    pub fn from_times(times: impl IntoIterator<Item = Timestamp>) -> Self {
        let mut allowed: Vec<_> = times.into_iter().collect();
        order::sort_by(&mut allowed, Ord::cmp);
        Self { allowed: allowed.into() }
    }

    /// The times that counted at the last request, oldest first.
    pub fn times(&self) -> impl Iterator<Item = Timestamp> + '_ {
        self.allowed.iter().copied()
    }

    /// Whether no request counts at `now`, so that the log can be dropped.
    #[must_use]
    pub fn is_idle(&self, now: Timestamp) -> bool {
        self.allowed.back().is_none_or(|newest| has_left(*newest, now))
    }

    /// Admits one request, or says when the next will be allowed. A refused request is not counted.
    ///
    /// Times in the future, after a clock was set back, count as made now (rule R6).
    pub fn check(&mut self, limit: u32, now: Timestamp) -> RateDecision {
        for time in self.allowed.iter_mut().rev().take_while(|time| **time > now) {
            *time = now;
        }
        while self.allowed.front().is_some_and(|oldest| has_left(*oldest, now)) {
            self.allowed.pop_front();
        }
        let capacity = usize::try_from(limit).unwrap_or(usize::MAX);
        let allowed = self.allowed.len() < capacity;
        if allowed {
            self.allowed.push_back(now);
        }
        // After the limit was lowered, several requests have to leave before the next is allowed.
        let blocking = self.allowed.len().saturating_sub(capacity);
        RateDecision {
            allowed,
            remaining: u32::try_from(capacity.saturating_sub(self.allowed.len())).unwrap_or(u32::MAX),
            reset_seconds: self.allowed.front().map_or(WINDOW_SECONDS, |oldest| seconds_until_left(*oldest, now)),
            retry_after_seconds: match self.allowed.get(blocking) {
                Some(last_to_leave) if !allowed => seconds_until_left(*last_to_leave, now),
                _ => 0,
            },
        }
    }
}

fn has_left(time: Timestamp, now: Timestamp) -> bool {
    now.micros().saturating_sub(time.micros()) >= WINDOW_MICROS
}

/// Rounded up, so that the request has left the window after these seconds.
fn seconds_until_left(time: Timestamp, now: Timestamp) -> u32 {
    let micros = WINDOW_MICROS.saturating_sub(now.micros().saturating_sub(time.micros())).max(1);
    u32::try_from((micros + Timestamp::SECOND_MICROS - 1) / Timestamp::SECOND_MICROS).unwrap_or(WINDOW_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(1_700_000_000_000_000).plus_seconds(seconds)
    }

    #[test]
    fn no_sixty_seconds_let_more_than_the_limit_through() {
        let mut log = SlidingLog::default();
        let mut let_through = Vec::new();
        for half_second in 0..1_000 {
            let now = Timestamp::from_micros(at(0).micros() + half_second * 137_000);
            if log.check(120, now).allowed {
                let_through.push(now);
            }
        }
        for (first, time) in let_through.iter().enumerate() {
            let within = let_through[first..].iter().take_while(|later| !has_left(*time, **later)).count();
            assert!(within <= 120, "{within} requests within 60 seconds of {time}");
        }
        assert!(let_through.len() > 240, "requests that left the window make room again");
    }

    #[test]
    fn times_may_be_given_in_any_order() {
        let given = [Timestamp::MAX, at(20), at(0)];
        let mut log = SlidingLog::from_times(given);
        let refused = log.check(3, at(30));
        assert_eq!((refused.allowed, refused.retry_after_seconds), (false, 30));
        assert_eq!(log.times().collect::<Vec<_>>(), [at(0), at(20), at(30)]);
    }

    #[test]
    fn retry_after_is_the_time_after_which_one_is_let_through() {
        let mut log = SlidingLog::default();
        assert!(log.check(2, at(0)).allowed);
        assert!(log.check(2, at(10)).allowed);
        let refused = log.check(2, at(11));
        assert_eq!((refused.allowed, refused.remaining, refused.retry_after_seconds), (false, 0, 49));
        assert!(!log.clone().check(2, Timestamp::from_micros(at(60).micros() - 1)).allowed);
        assert!(log.check(2, at(60)).allowed);
    }

    #[test]
    fn a_lowered_limit_waits_until_enough_have_left() {
        let mut log = SlidingLog::default();
        for second in 0..4 {
            assert!(log.check(4, at(second)).allowed);
        }
        let refused = log.check(2, at(4));
        assert_eq!(refused.retry_after_seconds, 58);
        assert!(!log.clone().check(2, at(61)).allowed);
        assert!(log.check(2, at(62)).allowed);
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out_for_longer_than_a_window() {
        let mut log = SlidingLog::default();
        assert!(log.check(1, at(86_400)).allowed);
        assert_eq!(log.check(1, at(0)).retry_after_seconds, 60);
        assert!(log.check(1, at(60)).allowed);
    }

    #[test]
    fn counts_and_seconds_that_the_headers_show() {
        let mut log = SlidingLog::default();
        let first = log.check(120, at(0));
        assert_eq!((first.remaining, first.reset_seconds), (119, 60));
        let second = log.check(120, Timestamp::from_micros(at(0).micros() + 300_000));
        assert_eq!((second.remaining, second.reset_seconds), (118, 60));
        assert!(log.is_idle(at(61)));
        assert!(!log.is_idle(at(60)));
    }
}
