//! The speed of a long command, and its remaining time.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// The rate limit counts over a minute, so the last minute predicts the next.
const WINDOW: Duration = Duration::from_secs(60);
/// The minimum time between two stored points.
const STEP: Duration = Duration::from_millis(250);

/// The rows done by time, over the last minute.
#[derive(Debug)]
pub(super) struct Rate {
    points: VecDeque<(Instant, u64)>,
    rows: u64,
}

impl Rate {
    /// Starts with the rows that were done before.
    pub(super) fn new(now: Instant, rows: u64) -> Self {
        Self { points: VecDeque::from([(now, rows)]), rows }
    }

    /// Stores how many rows are done.
    pub(super) fn note(&mut self, now: Instant, rows: u64) {
        self.rows = rows;
        if self.points.back().is_none_or(|(last, _)| now.saturating_duration_since(*last) >= STEP) {
            self.points.push_back((now, rows));
        }
        // The window begins at the newest point that is at least one window old.
        while self.points.get(1).is_some_and(|(second, _)| now.saturating_duration_since(*second) >= WINDOW) {
            self.points.pop_front();
        }
    }

    /// Rows per second; `None` until there is enough data.
    #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
    pub(super) fn per_second(&self, now: Instant) -> Option<f64> {
        let (since, rows) = self.points.front()?;
        let seconds = now.saturating_duration_since(*since).as_secs_f64();
        let done = self.rows.saturating_sub(*rows);
        (done > 0 && seconds > 0.0).then(|| done as f64 / seconds)
    }

    /// The time until `total` rows are done at this rate.
    #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
    pub(super) fn left(&self, now: Instant, total: u64) -> Option<Duration> {
        let seconds = total.saturating_sub(self.rows) as f64 / self.per_second(now)?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_an_earlier_run_say_nothing_of_the_rate() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut rate = Rate::new(start, 5_000);
        assert_eq!((rate.per_second(at(1)), rate.left(at(1), 9_000)), (None, None));
        rate.note(at(10), 6_000);
        assert_eq!(rate.per_second(at(10)), Some(100.0));
        assert_eq!(rate.left(at(10), 9_000), Some(Duration::from_secs(30)));
    }

    #[test]
    fn only_the_last_minute_counts() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut rate = Rate::new(start, 0);
        for second in 1..=300 {
            rate.note(at(second), if second <= 100 { 0 } else { (second - 100) * 7 });
        }
        assert_eq!(rate.per_second(at(300)), Some(7.0));
        assert!(rate.points.len() < 70, "{}", rate.points.len());
    }
}
