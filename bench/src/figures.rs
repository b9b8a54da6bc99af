//! Medians and spreads.

/// The middle of some figures, and the lowest and highest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The middle one; of an even number the higher of the two.
    pub median: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Spread {
    /// Of these figures; not a number where there are none.
    ///
    /// ```
    /// use matterbook_bench::figures::Spread;
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
