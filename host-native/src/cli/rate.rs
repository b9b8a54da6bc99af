//! How quick a long command is, and how long it will take.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// The service counts requests over a minute, so what was done in one says most of the next.
const WINDOW: Duration = Duration::from_secs(60);
/// Between two points that are kept.
const STEP: Duration = Duration::from_millis(250);

/// Rows by time, over the last minute.
#[derive(Debug)]
pub(super) struct Rate {
    points: VecDeque<(Instant, u64)>,
    rows: u64,
}

impl Rate {
    /// From so many rows on, which were done before.
    pub(super) fn new(now: Instant, rows: u64) -> Self {
        Self { points: VecDeque::from([(now, rows)]), rows }
    }

    /// So many rows are done.
    pub(super) fn note(&mut self, now: Instant, rows: u64) {
        self.rows = rows;
        if self.points.back().is_none_or(|(last, _)| now.saturating_duration_since(*last) >= STEP) {
            self.points.push_back((now, rows));
        }
        // The newest point that is a whole window old is where the window begins.
        while self.points.get(1).is_some_and(|(second, _)| now.saturating_duration_since(*second) >= WINDOW) {
            self.points.pop_front();
        }
    }

    /// Rows in a second; `None` before there is anything to tell it by.
    #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
    pub(super) fn per_second(&self, now: Instant) -> Option<f64> {
        let (since, rows) = self.points.front()?;
        let seconds = now.saturating_duration_since(*since).as_secs_f64();
        let done = self.rows.saturating_sub(*rows);
        (done > 0 && seconds > 0.0).then(|| done as f64 / seconds)
    }

    /// Until all of `total` are done, if it goes on so.
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
