//! Points in time and calendar dates, and their formats (rule H22).

use std::{
    fmt::Write as _,
    time::{Duration, SystemTime},
};

use chrono::{DateTime, Datelike as _, NaiveDate};

pub use matterbook_rules::normalize::{iso_date, parse_iso_date};

/// A point in time in whole microseconds since 1970-01-01T00:00:00Z.
///
/// The unit is a microsecond, because `updated_at` grows with each commit of an account (S6), and an account
/// may have more than a thousand commits in a second. Times from 1684 to 2255 are below 2^53 in size, so
/// they are exact in a JavaScript number. A time from a text is clamped to that range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The latest time that every host can represent: in the year 2255, the largest whole number
    /// that a JavaScript number holds exactly.
    pub const MAX: Self = Self(9_007_199_254_740_991);
    /// One second in the unit of this type.
    pub const SECOND_MICROS: i64 = 1_000_000;

    /// The time at that many microseconds after the epoch.
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

    /// This time moved by `seconds`, negative for earlier. It saturates.
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
    /// Digits past the microsecond are dropped. `None` for any other text. A time past [`Timestamp::MAX`], or
    /// as far before 1970, becomes that end of the range.
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

/// A time of the system's clock. Fractions of a microsecond are dropped. A time outside the range of `i64`
/// microseconds becomes the nearest one.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use matterbook_core::time::Timestamp;
/// let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
/// assert_eq!(Timestamp::from(time), Timestamp::from_micros(1_500_000));
/// let time = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
/// assert_eq!(Timestamp::from(time), Timestamp::from_micros(-1_000_000));
/// ```
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let micros = |duration: Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Self(micros(since)),
            Err(before) => Self(-micros(before.duration())),
        }
    }
}

impl Timestamp {
    /// The characters of [`Display`](std::fmt::Display); `None` if the year does not have four digits.
    fn rfc3339(self) -> Option<[u8; 27]> {
        const DAY_MICROS: i64 = 24 * 60 * 60 * Timestamp::SECOND_MICROS;
        let of_day = self.0.rem_euclid(DAY_MICROS);
        let day = i32::try_from(self.0.div_euclid(DAY_MICROS)).ok()?;
        let date = NaiveDate::from_epoch_days(day)?;
        // Both are less than a day.
        let seconds = u32::try_from(of_day / Self::SECOND_MICROS).ok()?;
        let micros = u32::try_from(of_day % Self::SECOND_MICROS).ok()?;
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        let year = u32::try_from(date.year()).ok().filter(|year| *year <= 9_999)?;
        for (start, digits, number) in [
            (0, 4, year),
            (5, 2, date.month()),
            (8, 2, date.day()),
            (11, 2, seconds / 3_600),
            (14, 2, seconds / 60 % 60),
            (17, 2, seconds % 60),
            (20, 6, micros),
        ] {
            write_digits(text.get_mut(start..start + digits).unwrap_or_default(), number);
        }
        Some(text)
    }

    /// Appends it to a text.
    pub(crate) fn push(self, text: &mut String) {
        // Writing to a text cannot fail.
        let _ = match self.rfc3339() {
            Some(characters) => text.write_str(str::from_utf8(&characters).unwrap_or_default()),
            None => write!(text, "{self}"),
        };
    }
}

impl std::fmt::Display for Timestamp {
    /// RFC 3339 in UTC with six decimals, so that texts sort as times do.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.rfc3339() {
            Some(characters) => formatter.write_str(str::from_utf8(&characters).unwrap_or_default()),
            // Other years have another form.
            None => write!(formatter, "{}us", self.0),
        }
    }
}

/// Writes a number into digits, from the last one.
fn write_digits(digits: &mut [u8], mut number: u32) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
