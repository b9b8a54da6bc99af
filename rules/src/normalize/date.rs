//! Calendar dates (rules N27 to N30). They are not instants: a time zone does not change the written date.

use chrono::NaiveDate;

use super::{FieldValue, Problem, ProblemKind};

/// A date written `YYYY-MM-DD`, `MM/DD/YYYY` or `Mon D, YYYY`, with or without leading zeros; the
/// month's name short or full, in any case, with or without dot and comma. An ISO date-time keeps
/// its written date.
///
/// # Errors
/// When the value is not a string of one of these forms, is not a day of the calendar, or has a year
/// outside 1900 to 2100.
///
/// ```
/// use matterbook_rules::normalize::{FieldValue, date};
/// let check = |text: &str| {
///     date(&FieldValue::from(text)).ok().flatten().map(|date| date.to_string())
/// };
/// assert_eq!(check("1/5/2024").as_deref(), Some("2024-01-05"));
/// assert_eq!(check("2024-01-05T23:30:00-08:00").as_deref(), Some("2024-01-05"));
/// assert_eq!(check("01/15/24"), None);
/// ```
#[doc(alias = "parse date")]
pub fn date(value: &FieldValue<'_>) -> Result<Option<NaiveDate>, Problem> {
    let Some(text) = value.trimmed_text(Problem::NOT_A_STRING)? else { return Ok(None) };
    let Some((year, month, day)) = iso(text).or_else(|| slashed(text, 4)).or_else(|| named(text, 4)) else {
        return Err(if slashed(text, 1).or_else(|| named(text, 1)).is_some() {
            Problem::fixed(ProblemKind::DateFormat, "must have a year with four digits, such as 01/31/2024")
        } else {
            Problem::fixed(ProblemKind::DateFormat, "must be a date such as 2024-01-31, 01/31/2024 or Jan 31, 2024")
        });
    };
    if !(1900..=2100).contains(&year) {
        return Err(Problem::fixed(ProblemKind::NoSuchDate, "must have a year from 1900 to 2100"));
    }
    if !(1..=12).contains(&month) {
        return Err(Problem::fixed(
            ProblemKind::NoSuchDate,
            "must have a month from 1 to 12; in MM/DD/YYYY the month comes first",
        ));
    }
    let year = i32::try_from(year).unwrap_or_default();
    match NaiveDate::from_ymd_opt(year, month, day) {
        Some(date) => Ok(Some(date)),
        None => Err(Problem::fixed(
            ProblemKind::NoSuchDate,
            "must be a day of the calendar, but that month has no such day",
        )),
    }
}

/// Year, month and day as written.
type Parts = (u32, u32, u32);

/// `YYYY-MM-DD`, perhaps with a time after it.
fn iso(text: &str) -> Option<Parts> {
    let (year, rest) = number(text, 4, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 1, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 1, 2)?;
    (rest.is_empty() || is_time(rest)).then_some((year, month, day))
}

/// `MM/DD/YYYY`, with at least `year_digits` of the year's four.
fn slashed(text: &str, year_digits: usize) -> Option<Parts> {
    let (month, rest) = number(text, 1, 2)?;
    let (day, rest) = number(rest.strip_prefix('/')?, 1, 2)?;
    let (year, rest) = number(rest.strip_prefix('/')?, year_digits, 4)?;
    rest.is_empty().then_some((year, month, day))
}

/// `Mon D, YYYY`, with at least `year_digits` of the year's four.
fn named(text: &str, year_digits: usize) -> Option<Parts> {
    let name_length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, rest) = text.split_at_checked(name_length)?;
    let month = month(name)?;
    let (day, rest) = number(separated(rest, '.')?, 1, 2)?;
    let (year, rest) = number(separated(rest.trim_start(), ',').or_else(|| separated(rest, ','))?, year_digits, 4)?;
    rest.is_empty().then_some((year, month, day))
}

/// The text after a mark, white space, or both; `None` if there is neither.
fn separated(text: &str, mark: char) -> Option<&str> {
    let rest = text.strip_prefix(mark).unwrap_or(text).trim_start();
    (rest.len() < text.len()).then_some(rest)
}

/// The number of a month's name in English, full or short, in any case.
fn month(name: &str) -> Option<u32> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let is = |full: &&str| {
        full.eq_ignore_ascii_case(name)
            || full.get(..3).is_some_and(|short| short.eq_ignore_ascii_case(name))
            || (*full == "september" && name.eq_ignore_ascii_case("sept"))
    };
    NAMES.iter().zip(1..).find_map(|(full, number)| is(full).then_some(number))
}

/// Whether `text` is the time of an ISO date-time, with its `T` or space.
fn is_time(text: &str) -> bool {
    after_clock(text).is_some_and(is_zone)
}

/// The text after `HH:MM`, its seconds and their fraction, if any.
fn after_clock(text: &str) -> Option<&str> {
    let (hours, rest) = number(text.strip_prefix(['T', 't', ' '])?, 2, 2)?;
    let (minutes, rest) = number(rest.strip_prefix(':')?, 2, 2)?;
    let (seconds, rest) = rest.strip_prefix(':').map_or(Some((0, rest)), |rest| number(rest, 2, 2))?;
    // 60 is a leap second.
    if hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let Some(fraction) = rest.strip_prefix(['.', ',']) else { return Some(rest) };
    let zone = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
    (zone.len() < fraction.len()).then_some(zone)
}

/// Nothing, `Z`, or an offset such as `-08:00`, `-0800` or `-08`.
fn is_zone(text: &str) -> bool {
    let Some(offset) = text.strip_prefix(['+', '-']) else { return matches!(text, "" | "Z" | "z") };
    let digits = match offset.split_once(':') {
        Some((hours, minutes)) if hours.len() == 2 && minutes.len() == 2 => [hours, minutes],
        Some(_) => return false,
        None => match offset.split_at_checked(2) {
            Some((hours, minutes)) if matches!(minutes.len(), 0 | 2) => [hours, minutes],
            _ => return false,
        },
    };
    let below = |text: &str, limit| text.is_empty() || number(text, 2, 2).is_some_and(|(number, _)| number < limit);
    let [hours, minutes] = digits;
    below(hours, 24) && below(minutes, 60)
}

/// The leading ASCII digits of `text`, if they are `fewest` to `most`, and the rest.
fn number(text: &str, fewest: usize, most: usize) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    let (count, number) =
        digits.take(most + 1).fold((0, 0), |(count, number), digit| (count + 1, 10 * number + u32::from(digit - b'0')));
    let rest = text.get(count..)?;
    (fewest..=most).contains(&count).then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Into<FieldValue<'static>>, expected: Result<Option<&str>, &str>) {
        let value = value.into();
        let found = date(&value).map(|date| date.map(|date| date.to_string())).map_err(|problem| problem.to_string());
        let expected = expected.map(|date| date.map(str::to_owned)).map_err(str::to_owned);
        assert_eq!(found, expected, "{value:?}");
    }

    #[test]
    fn the_three_forms_are_read_with_and_without_leading_zeros() {
        for text in [
            "2024-01-05",
            "2024-1-5",
            "01/05/2024",
            "1/5/2024",
            "Jan 5, 2024",
            "jan 05 2024",
            "JAN. 5, 2024",
            "January 5, 2024",
            "january 5 2024",
            "Jan 5,2024",
            "Jan. 5 , 2024",
            "Jan  5,  2024",
            "Jan\u{a0}5, 2024",
            "Jan.5,2024",
            " 2024-01-05\n",
        ] {
            check(text, Ok(Some("2024-01-05")));
        }
        for (text, month) in
            [("Sep 5, 2024", "09"), ("Sept. 5, 2024", "09"), ("May 5, 2024", "05"), ("JUNE 5, 2024", "06")]
        {
            check(text, Ok(Some(&format!("2024-{month}-05"))));
        }
    }

    #[test]
    fn a_date_time_keeps_its_written_date() {
        for text in [
            "2024-01-05T00:00",
            "2024-01-05T23:59:59",
            "2024-01-05T23:59:59Z",
            "2024-01-05t23:59:59z",
            "2024-01-05T23:59:60.123456789Z",
            "2024-01-05 23:59:59",
            "2024-01-05 23:59:59.5+00",
            "2024-01-05T00:00:00+14:00",
            "2024-01-05T23:30:00-0800",
        ] {
            check(text, Ok(Some("2024-01-05")));
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in ["01/15/24", "1/5/26", "1/5/024", "Jan 5, 24", "Jan. 5 24"] {
            check(text, Err("must have a year with four digits, such as 01/31/2024"));
        }
        for text in [
            "1/5/",
            "1/5/20245",
            "1/5/24 10:00",
            "24-01-15",
            "2024/01/15",
            "15 Jan 2024",
            "20240115",
            "45306",
            "2024-01",
            "16.10.2041",
            "Jul-8-1981",
            "2024-01-15T",
            "2024-01-15T24:00:00",
            "2024-01-15T10:60",
            "2024-01-15T10",
            "2024-01-15T10:00:00.",
            "2024-01-15T10:00+1",
            "2024-01-15T10:00+25:00",
            "2024-01-15T10:00:00 PST",
            "2024-01-15x",
            "2024-001-15",
            "Janu 5, 2024",
            "Jan5, 2024",
            "Jan 5th, 2024",
            "Jan 52024",
            "1/5/2024 10:00",
            "20245-01-05",
            "-2024-01-05",
            "٢٠٢٤-٠١-١٥",
            "2024–01–15",
            "yesterday",
            "0",
        ] {
            check(text, Err("must be a date such as 2024-01-31, 01/31/2024 or Jan 31, 2024"));
        }
        check(45306_i64, Err("must be a string"));
        check("", Ok(None));
    }

    #[test]
    fn impossible_dates_are_refused() {
        check("15/01/2024", Err("must have a month from 1 to 12; in MM/DD/YYYY the month comes first"));
        check("2024-00-10", Err("must have a month from 1 to 12; in MM/DD/YYYY the month comes first"));
        for text in ["2023-02-29", "1900-02-29", "Apr 31, 2024", "1/0/2024", "2024-01-32"] {
            check(text, Err("must be a day of the calendar, but that month has no such day"));
        }
        for text in ["1899-12-31", "2101-01-01", "0024-01-15", "9999-12-31"] {
            check(text, Err("must have a year from 1900 to 2100"));
        }
        check("1900-01-01", Ok(Some("1900-01-01")));
        check("2100-12-31", Ok(Some("2100-12-31")));
    }
}
