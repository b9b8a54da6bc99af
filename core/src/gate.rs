//! The exact sliding rate limit (rules R1 to R6), and the trait of what keeps its state.

use std::collections::VecDeque;

use crate::{key::KeyDigest, time::Timestamp};

/// The length of the window in seconds: an admitted request counts for this long.
pub const WINDOW_SECONDS: u32 = 60;

const WINDOW_MICROS: i64 = WINDOW_SECONDS as i64 * Timestamp::SECOND_MICROS;

/// The decision on one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Whether the request is admitted.
    pub admitted: bool,
    /// How many more requests would be admitted now.
    pub remaining: u32,
    /// Whole seconds until the oldest counted request leaves the window, 60 if none is counted.
    pub reset_seconds: u32,
    /// Whole seconds, at least 1, after which a refused request will be admitted if no other is made
    /// meanwhile (rule R3). 0 if it was admitted.
    pub retry_after_seconds: u32,
}

/// Keeps one [`SlidingLog`] for each key. Only live keys get one (rule R2).
#[expect(async_fn_in_trait, reason = "Send is inferred at the concrete call; the Worker has none")]
pub trait Gate {
    /// Counts one request of the key, unless it is over the limit. `limit` is at least 1.
    ///
    /// # Errors
    /// When the state cannot be reached. The request is answered 500 (rule R7). The text is private.
    async fn admit(&self, key: &KeyDigest, limit: u32, now: Timestamp) -> Result<Admission, GateError>;
}

/// Why the state could not be reached, for the log only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rate limit's state cannot be reached: {0}")]
pub struct GateError(pub String);

/// The times at which requests of one key were admitted, oldest first, none older than the window.
///
/// It keeps times, because a counter for each fixed window would admit twice the limit within two seconds.
///
/// ```
/// use matterbook_core::{gate::SlidingLog, time::Timestamp};
/// let mut log = SlidingLog::default();
/// let start = Timestamp::from_micros(0);
/// assert!(log.admit(1, start).admitted);
/// assert_eq!(log.admit(1, start.plus_seconds(20)).retry_after_seconds, 40);
/// assert!(log.admit(1, start.plus_seconds(60)).admitted);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlidingLog {
    admitted: VecDeque<Timestamp>,
}

impl SlidingLog {
    /// A log with the times of [`SlidingLog::times`].
    #[must_use]
    pub fn from_times(times: impl IntoIterator<Item = Timestamp>) -> Self {
        Self { admitted: times.into_iter().collect() }
    }

    /// The times that counted at the last request, oldest first.
    pub fn times(&self) -> impl Iterator<Item = Timestamp> + '_ {
        self.admitted.iter().copied()
    }

    /// Whether no request counts at `now`, so that the log can be dropped.
    #[must_use]
    pub fn is_idle(&self, now: Timestamp) -> bool {
        self.admitted.back().is_none_or(|newest| has_left(*newest, now))
    }

    /// Admits one request, or says when the next will be admitted. A refused request is not counted.
    ///
    /// Times in the future, after a clock was set back, count as made now (rule R6).
    pub fn admit(&mut self, limit: u32, now: Timestamp) -> Admission {
        for time in self.admitted.iter_mut().rev().take_while(|time| **time > now) {
            *time = now;
        }
        while self.admitted.front().is_some_and(|oldest| has_left(*oldest, now)) {
            self.admitted.pop_front();
        }
        let capacity = usize::try_from(limit).unwrap_or(usize::MAX);
        let admitted = self.admitted.len() < capacity;
        if admitted {
            self.admitted.push_back(now);
        }
        // After the limit was lowered, several requests have to leave before the next is admitted.
        let blocking = self.admitted.len().saturating_sub(capacity);
        Admission {
            admitted,
            remaining: u32::try_from(capacity.saturating_sub(self.admitted.len())).unwrap_or(u32::MAX),
            reset_seconds: self.admitted.front().map_or(WINDOW_SECONDS, |oldest| seconds_until_left(*oldest, now)),
            retry_after_seconds: match self.admitted.get(blocking) {
                Some(last_to_leave) if !admitted => seconds_until_left(*last_to_leave, now),
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
            if log.admit(120, now).admitted {
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
    fn retry_after_is_the_time_after_which_one_is_let_through() {
        let mut log = SlidingLog::default();
        assert!(log.admit(2, at(0)).admitted);
        assert!(log.admit(2, at(10)).admitted);
        let refused = log.admit(2, at(11));
        assert_eq!((refused.admitted, refused.remaining, refused.retry_after_seconds), (false, 0, 49));
        assert!(!log.clone().admit(2, Timestamp::from_micros(at(60).micros() - 1)).admitted);
        assert!(log.admit(2, at(60)).admitted);
    }

    #[test]
    fn a_lowered_limit_waits_until_enough_have_left() {
        let mut log = SlidingLog::default();
        for second in 0..4 {
            assert!(log.admit(4, at(second)).admitted);
        }
        let refused = log.admit(2, at(4));
        assert_eq!(refused.retry_after_seconds, 58);
        assert!(!log.clone().admit(2, at(61)).admitted);
        assert!(log.admit(2, at(62)).admitted);
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out_for_longer_than_a_window() {
        let mut log = SlidingLog::default();
        assert!(log.admit(1, at(86_400)).admitted);
        assert_eq!(log.admit(1, at(0)).retry_after_seconds, 60);
        assert!(log.admit(1, at(60)).admitted);
    }

    #[test]
    fn counts_and_seconds_that_the_headers_show() {
        let mut log = SlidingLog::default();
        let first = log.admit(120, at(0));
        assert_eq!((first.remaining, first.reset_seconds), (119, 60));
        let second = log.admit(120, Timestamp::from_micros(at(0).micros() + 300_000));
        assert_eq!((second.remaining, second.reset_seconds), (118, 60));
        assert!(log.is_idle(at(61)));
        assert!(!log.is_idle(at(60)));
    }
}
