//! How often something took how long, or was how large, for a small number of kinds.

use std::time::Duration;

use super::counts::Counts;

/// The upper bounds of durations, in nanoseconds: 100 µs to 10 s.
pub(super) const DURATIONS: &[u64] = &[
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    1_000_000_000,
    10_000_000_000,
];

/// The upper bounds of the rows of a commit.
pub(super) const ROWS: &[u64] = &[1, 10, 50, 100, 250, 500, 1_000, 2_000];

/// One histogram for each of some kinds, all with the same bounds.
pub(super) struct Histograms {
    bounds: &'static [u64],
    /// Of each kind, one count for each bound, one for what is above them all, and the sum.
    counts: Counts,
}

/// One of them, at one moment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Histogram {
    /// Each upper bound, and how many values are at most that.
    pub(super) at_most: Vec<(u64, u64)>,
    /// How many there are.
    pub(super) count: u64,
    /// What they come to together.
    pub(super) sum: u64,
}

impl Histograms {
    /// So many kinds, with these upper bounds in rising order.
    pub(super) fn new(kinds: usize, bounds: &'static [u64]) -> Self {
        Self { bounds, counts: Counts::new(kinds * width(bounds)) }
    }

    /// Counts a value of a kind.
    pub(super) fn add(&self, kind: usize, value: u64) {
        let first = kind * width(self.bounds);
        let place = self.bounds.iter().position(|bound| value <= *bound).unwrap_or(self.bounds.len());
        self.counts.add(first + place, 1);
        self.counts.add(first + self.bounds.len() + 1, value);
    }

    /// Counts a duration of a kind, in nanoseconds.
    pub(super) fn add_duration(&self, kind: usize, duration: Duration) {
        self.add(kind, u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX));
    }

    /// That of a kind.
    pub(super) fn get(&self, kind: usize) -> Histogram {
        let first = kind * width(self.bounds);
        let mut count = 0;
        let mut at_most = Vec::with_capacity(self.bounds.len());
        for (place, bound) in self.bounds.iter().enumerate() {
            count += self.counts.get(first + place);
            at_most.push((*bound, count));
        }
        count += self.counts.get(first + self.bounds.len());
        Histogram { at_most, count, sum: self.counts.get(first + self.bounds.len() + 1) }
    }
}

const fn width(bounds: &[u64]) -> usize {
    bounds.len() + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_at_its_bound_and_at_all_above_it() {
        let histograms = Histograms::new(3, &[1, 10, 100]);
        for value in [0, 1, 2, 10, 11, 100, 101, 5_000] {
            histograms.add(1, value);
        }
        let expected = Histogram { at_most: vec![(1, 2), (10, 4), (100, 6)], count: 8, sum: 5_225 };
        assert_eq!(histograms.get(1), expected);
        let empty = Histogram { at_most: vec![(1, 0), (10, 0), (100, 0)], count: 0, sum: 0 };
        assert_eq!(
            (histograms.get(0), histograms.get(2)),
            (Histogram { ..empty }, Histogram { at_most: vec![(1, 0), (10, 0), (100, 0)], count: 0, sum: 0 })
        );
    }

    #[test]
    fn bounds_rise() {
        for bounds in [DURATIONS, ROWS] {
            assert!(bounds.is_sorted_by(|one, next| one < next), "{bounds:?}");
        }
    }
}
