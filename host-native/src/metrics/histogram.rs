//! Histograms of durations and sizes.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// The upper bounds of durations, in microseconds: 100 µs to 10 s.
const DURATIONS: &[u64] =
    &[100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 10_000_000];

/// The upper bounds of the rows of a commit.
const ROWS: &[u64] = &[1, 10, 50, 100, 250, 500, 1_000, 2_000];

/// Counts of values by their size.
pub(crate) struct Histogram {
    bounds: &'static [u64],
    /// What a value is divided by to be shown.
    pub(super) unit: f64,
    /// One for each bound, and one for what is above them all.
    counts: Vec<AtomicU64>,
    sum: AtomicU64,
}

impl Histogram {
    /// Of durations, shown in seconds.
    pub(super) fn of_durations() -> Self {
        Self::new(DURATIONS, 1e6)
    }

    /// Of the rows of commits.
    pub(super) fn of_rows() -> Self {
        Self::new(ROWS, 1.0)
    }

    fn new(bounds: &'static [u64], unit: f64) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds, unit, counts, sum: AtomicU64::new(0) }
    }

    /// Counts a value.
    pub(super) fn add(&self, value: u64) {
        let index = self.bounds.partition_point(|bound| *bound < value);
        if let Some(count) = self.counts.get(index) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    /// Counts a duration.
    pub(super) fn add_duration(&self, duration: Duration) {
        self.add(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
    }

    /// Times a call, until the result is dropped.
    pub(crate) fn time(&self) -> Timed<'_> {
        Timed { durations: self, began: Instant::now() }
    }

    /// Each upper bound, and how many values are at most that; with no bound, how many there are.
    pub(super) fn cumulative(&self) -> impl Iterator<Item = (Option<u64>, u64)> {
        let bounds = self.bounds.iter().copied().map(Some).chain([None]);
        bounds.zip(&self.counts).scan(0, |total, (bound, count)| {
            *total += count.load(Ordering::Relaxed);
            Some((bound, *total))
        })
    }

    /// The sum of the values.
    pub(super) fn sum(&self) -> u64 {
        self.sum.load(Ordering::Relaxed)
    }

    /// No value was counted.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| count.load(Ordering::Relaxed) == 0)
    }
}

/// Counts the time until it is dropped.
pub(crate) struct Timed<'h> {
    durations: &'h Histogram,
    began: Instant,
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        self.durations.add_duration(self.began.elapsed());
    }
}
