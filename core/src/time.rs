//! Points in time: microseconds since the Unix epoch, and how they are written.

use chrono::{DateTime, SecondsFormat};

/// A point in time in whole microseconds since 1970-01-01T00:00:00Z.
///
/// Microseconds, because `updated_at` grows from commit to commit within an account (design
/// section 7) and an account may see more than a thousand commits in a second. Times from 1684 to
/// 2255 lie below 2^53 in size, so that they survive a JavaScript number; a time that is read from
/// a text is brought to that range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The latest time that every host can represent: in the year 2255, the largest whole number
    /// that a JavaScript number holds exactly.
    pub const MAX: Self = Self(9_007_199_254_740_991);
    /// One second in the unit of this type.
    pub const SECOND_MICROS: i64 = 1_000_000;

    /// The time that many microseconds after the epoch.
    ///
    /// ```
    /// use matterbook_core::time::Timestamp;
    /// assert_eq!(Timestamp::from_micros(1_000_000).to_string(), "1970-01-01T00:00:01.000000Z");
    /// ```
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the epoch.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whole milliseconds since the epoch, rounded down.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// This time moved by `seconds`, negative for earlier. It never wraps round.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(Self::SECOND_MICROS)))
    }

    /// The next representable time.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Reads an RFC 3339 date and time with an offset, such as `2026-01-31T08:00:00Z`.
    /// Digits past the microsecond are dropped. `None` when the text is anything else. A time past
    /// [`Timestamp::MAX`], or as far before 1970, is read as that end of the range.
    ///
    /// ```
    /// use matterbook_core::time::Timestamp;
    /// let time = Timestamp::parse_rfc3339("1970-01-01T01:00:01+01:00");
    /// assert_eq!(time, Some(Timestamp::from_micros(1_000_000)));
    /// assert_eq!(Timestamp::parse_rfc3339("9999-12-31T23:59:59Z"), Some(Timestamp::MAX));
    /// ```
    #[must_use]
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        let time = DateTime::parse_from_rfc3339(text).ok()?;
        Some(Self(time.timestamp_micros().clamp(-Self::MAX.0, Self::MAX.0)))
    }
}

impl std::fmt::Display for Timestamp {
    /// RFC 3339 in UTC with six decimals, so that texts sort as times do.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match DateTime::from_timestamp_micros(self.0) {
            Some(time) => formatter.write_str(&time.to_rfc3339_opts(SecondsFormat::Micros, true)),
            None => write!(formatter, "{}us", self.0),
        }
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
