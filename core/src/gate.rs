//! The exact sliding rate limit (reference section 8, design section 3): the rule, and the trait
//! of whoever keeps its state.

use std::collections::VecDeque;

use crate::{key::KeyDigest, time::Timestamp};

/// The length of the window in seconds: an admitted request counts for this long.
pub const WINDOW_SECONDS: u32 = 60;

const WINDOW_MICROS: i64 = WINDOW_SECONDS as i64 * Timestamp::SECOND_MICROS;

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

/// The times at which requests of one key were admitted, oldest first, none older than the window.
///
/// Times are kept, not a count that starts again: a window that restarts would let twice the limit
/// through within two seconds.
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
    /// A log with these admitted times, oldest first, as [`SlidingLog::times`] gave them.
    #[must_use]
    pub fn from_times(times: impl IntoIterator<Item = Timestamp>) -> Self {
        Self { admitted: times.into_iter().collect() }
    }

    /// The times still counted when the log was last asked, oldest first.
    pub fn times(&self) -> impl Iterator<Item = Timestamp> + '_ {
        self.admitted.iter().copied()
    }

    /// Whether no request counts any more at `now`, so that the log may be dropped.
    #[must_use]
    pub fn is_idle(&self, now: Timestamp) -> bool {
        self.admitted.back().is_none_or(|newest| has_left(*newest, now))
    }

    /// Lets one request through, or says when the next will be. A refused request is not counted.
    ///
    /// A clock that was set back must not lock a key out for longer than a window: times that lie
    /// in the future count as made now.
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
        // Where the limit was lowered, more than one has to leave before the next is let through.
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

/// Rounded up, so that after that many seconds the request has left.
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
