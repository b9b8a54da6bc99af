//! Dates as `YYYY-MM-DD` (rule N27).

use chrono::{Datelike as _, NaiveDate};
use smol_str::{SmolStr, ToSmolStr as _};

/// A date as `YYYY-MM-DD`, several times faster than the `Display` of the date.
///
/// ```
/// use matterbook_rules::{chrono::NaiveDate, normalize::iso_date};
/// assert_eq!(iso_date(NaiveDate::from_ymd_opt(2026, 1, 5).unwrap()), "2026-01-05");
/// ```
#[must_use]
pub fn iso_date(date: NaiveDate) -> SmolStr {
    let year = u32::try_from(date.year()).ok().filter(|year| *year <= 9_999);
    let Some(year) = year else { return date.to_smolstr() };
    let [[y1, y2], [y3, y4], [m1, m2], [d1, d2]] = [year / 100, year % 100, date.month(), date.day()].map(two_digits);
    let text = [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2];
    str::from_utf8(&text).unwrap_or_default().into()
}

fn two_digits(number: u32) -> [u8; 2] {
    [number / 10, number % 10].map(|digit| b'0' + u8::try_from(digit).unwrap_or_default())
}

/// Parses a date of [`iso_date`].
///
/// ```
/// use matterbook_rules::normalize::{iso_date, parse_iso_date};
/// assert_eq!(parse_iso_date("2026-01-05").map(iso_date).as_deref(), Some("2026-01-05"));
/// assert_eq!(parse_iso_date("2026-02-30"), None);
/// ```
#[must_use]
pub fn parse_iso_date(text: &str) -> Option<NaiveDate> {
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0, |number: u32, byte| {
            Some(number * 10 + u32::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?))
        })
    };
    match text.as_bytes() {
        [year @ .., b'-', month_tens, month, b'-', day_tens, day] if year.len() == 4 => {
            let year = i32::try_from(number(year)?).ok()?;
            NaiveDate::from_ymd_opt(year, number(&[*month_tens, *month])?, number(&[*day_tens, *day])?)
        }
        _ => None,
    }
}
