//! Medians, spreads and percentiles.

use std::time::Duration;

use serde::Serialize;

/// The median of some figures, with the lowest and the highest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The median; of an even number of figures, the higher middle one.
    pub median: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Spread {
    /// The spread of these figures; NaN without figures.
    ///
    /// ```
    /// use matterbook_bench_core::figures::Spread;
    /// assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { median: 2.0, low: 1.0, high: 3.0 });
    /// ```
    #[must_use]
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        let at = |place: usize| figures.get(place).copied().unwrap_or(f64::NAN);
        Self { median: at(figures.len() / 2), low: at(0), high: at(figures.len().saturating_sub(1)) }
    }
}

/// The percentile of the latencies: the smallest time that at least this share of them does not exceed.
///
/// ```
/// use matterbook_bench_core::figures::percentile;
/// use std::time::Duration;
/// let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
/// assert_eq!(percentile(&times, 0.99), Duration::from_millis(198));
/// ```
#[must_use]
pub fn percentile(times: &[Duration], share: f64) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let place = (share * times.len() as f64).ceil() as usize;
    times.get(place.saturating_sub(1)).copied().unwrap_or_default()
}

/// A number with separators between its thousands.
///
/// ```
/// use matterbook_bench_core::figures::thousands;
/// assert_eq!([7, 1_000, 1_234_567].map(thousands), ["7", "1,000", "1,234,567"]);
/// ```
#[must_use]
pub fn thousands(number: usize) -> String {
    let text = number.to_string();
    let mut apart = String::new();
    for (place, digit) in text.chars().enumerate() {
        if place > 0 && (text.len() - place).is_multiple_of(3) {
            apart.push(',');
        }
        apart.push(digit);
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentile_of_few_times_is_one_of_them() {
        let times = [3, 1, 2].map(Duration::from_millis);
        for (share, millis) in [(0.0, 1), (0.34, 2), (0.5, 2), (0.67, 3), (0.99, 3), (1.0, 3)] {
            assert_eq!(percentile(&times, share), Duration::from_millis(millis), "{share}");
        }
        assert_eq!(percentile(&[], 0.99), Duration::ZERO);
    }

    #[test]
    fn a_spread_of_nothing_is_no_number() {
        assert!(Spread::of([]).median.is_nan());
        assert_eq!(Spread::of([1.0, 9.0, 4.0, 2.0]), Spread { median: 4.0, low: 1.0, high: 9.0 });
    }
}
