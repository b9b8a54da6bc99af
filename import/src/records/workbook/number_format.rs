//! What a cell's number format makes of its number: a day, a duration, or digits in a pattern.

use chrono::{Days, NaiveDate};

/// A format code has at most 255 characters.
const CODE_CHARACTERS: usize = 255;
/// Whole numbers up to this one are exact in a workbook.
const EXACT: f64 = 9_007_199_254_740_991.0;

/// A cell's number format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum NumberFormat {
    /// The plain digits.
    #[default]
    General,
    /// A date, with or without a time.
    Day,
    /// Whole numbers in patterns of digits, such as `00000` for a ZIP.
    Digits(Vec<Section>),
}

/// One of the sections of a format, which are separated by semicolons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The section is for numbers up to this one.
    most: Option<u64>,
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// `0`: a digit, or a zero.
    Zero,
    /// `#`: a digit, or nothing.
    Digit,
    Literal(char),
}

impl NumberFormat {
    /// The format with this number: of those that every workbook knows, only days matter.
    pub(super) fn built_in(number: u32) -> Self {
        // 27 to 36 and 50 to 58 are the days of East Asian calendars.
        if matches!(number, 14..=22 | 27..=36 | 50..=58) { Self::Day } else { Self::General }
    }

    /// The format with this code, such as `m/d/yyyy h:mm`, `00000` or `[<=99999]00000;00000-0000`.
    pub(super) fn of_code(code: &str) -> Self {
        let code: Vec<char> = code.chars().take(CODE_CHARACTERS).collect();
        let sections = sections(&code);
        if sections.iter().any(|section| is_day(section)) {
            return Self::Day;
        }
        let digits: Option<Vec<Section>> = sections.iter().take(2).map(|section| digits(section)).collect();
        // Without a condition the second section is for negative numbers.
        match digits {
            Some(mut digits) if digits.iter().all(|section| section.counts()) => {
                if digits.first().is_some_and(|first| first.most.is_none()) {
                    digits.truncate(1);
                }
                Self::Digits(digits)
            }
            _ => Self::General,
        }
    }

    /// The number as the format shows it, if that is more than its digits.
    pub(super) fn shown(&self, number: f64) -> Option<String> {
        let Self::Digits(sections) = self else { return None };
        if number.fract() != 0.0 || !(0.0..=EXACT).contains(&number) {
            return None;
        }
        let text = number.to_string();
        let whole: u64 = text.parse().ok()?;
        let section = sections.iter().find(|section| section.most.is_none_or(|most| whole <= most))?;
        Some(section.shown(&text))
    }
}

impl Section {
    fn counts(&self) -> bool {
        self.places.iter().any(|place| !matches!(place, Place::Literal(_)))
    }

    /// Fills the places from the right; digits that are left over go before the first.
    fn shown(&self, digits: &str) -> String {
        let mut digits: Vec<char> = digits.chars().collect();
        let first = self.places.iter().position(|place| !matches!(place, Place::Literal(_)));
        let mut shown: Vec<char> = Vec::new();
        for (at, place) in self.places.iter().enumerate().rev() {
            match place {
                Place::Literal(literal) => shown.push(*literal),
                Place::Zero => shown.push(digits.pop().unwrap_or('0')),
                Place::Digit => shown.extend(digits.pop()),
            }
            if Some(at) == first {
                shown.extend(std::mem::take(&mut digits).into_iter().rev());
            }
        }
        shown.iter().rev().collect()
    }
}

/// The sections of a code.
fn sections(code: &[char]) -> Vec<Vec<char>> {
    let mut sections = vec![Vec::new()];
    let (mut is_quoted, mut is_escaped) = (false, false);
    for character in code {
        match character {
            _ if is_escaped => is_escaped = false,
            '"' => is_quoted = !is_quoted,
            '\\' if !is_quoted => is_escaped = true,
            ';' if !is_quoted => {
                sections.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(section) = sections.last_mut() {
            section.push(*character);
        }
    }
    sections
}

/// Whether a section shows a day, or a time of one. Durations such as `[h]:mm` are numbers.
fn is_day(section: &[char]) -> bool {
    let mut characters = section.iter().map(char::to_ascii_lowercase);
    let mut is_day = false;
    while let Some(character) = characters.next() {
        match character {
            '"' => drop(characters.by_ref().find(|character| *character == '"')),
            // The character after these is text, or only takes room.
            '\\' | '_' | '*' => drop(characters.next()),
            '[' => {
                let within: String = characters.by_ref().take_while(|character| *character != ']').collect();
                if !within.is_empty() && within.chars().all(|character| matches!(character, 'h' | 'm' | 's')) {
                    return false;
                }
            }
            'd' | 'm' | 'y' | 'h' | 's' => is_day = true,
            _ => {}
        }
    }
    is_day
}

/// The places of a section that has only digits and fixed text.
fn digits(section: &[char]) -> Option<Section> {
    let mut characters = section.iter().copied();
    let (mut most, mut places) = (None, Vec::new());
    while let Some(character) = characters.next() {
        match character {
            '0' => places.push(Place::Zero),
            '#' => places.push(Place::Digit),
            '-' | ' ' | '(' | ')' | '/' => places.push(Place::Literal(character)),
            '\\' => places.push(Place::Literal(characters.next()?)),
            '"' => places.extend(characters.by_ref().take_while(|character| *character != '"').map(Place::Literal)),
            '_' | '*' => drop(characters.next()),
            '[' => {
                let within: String = characters.by_ref().take_while(|character| *character != ']').collect();
                match within.strip_prefix("<=") {
                    Some(number) => most = Some(number.parse().ok()?),
                    // A color or a language.
                    None if within.starts_with(|first: char| first == '$' || first.is_ascii_alphabetic()) => {}
                    None => return None,
                }
            }
            _ => return None,
        }
    }
    Some(Section { most, places })
}

/// The day that a number means, `YYYY-MM-DD`, if its year is one that the API accepts.
pub(super) fn day(number: f64, is_1904: bool) -> Option<String> {
    // A moment a thousandth of a second before midnight is rounding.
    let number = number + if is_1904 { 1_462.0 } else { 0.0 } + 1.2e-8;
    // Numbers below 61 are no days, or the 29th of February 1900, which did not exist.
    if !(61.0..=80_000.0).contains(&number) {
        return None;
    }
    let days: u64 = number.floor().to_string().parse().ok()?;
    let day = NaiveDate::from_ymd_opt(1899, 12, 30)?.checked_add_days(Days::new(days))?;
    (day < NaiveDate::from_ymd_opt(2101, 1, 1)?).then(|| day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, number: f64, expected: Option<&str>) {
        assert_eq!(NumberFormat::of_code(code).shown(number).as_deref(), expected, "{code} of {number}");
    }

    #[test]
    fn a_pattern_of_digits_keeps_leading_zeros_and_separators() {
        check("00000", 901.0, Some("00901"));
        check("00000", 123_456.0, Some("123456"));
        check("[<=99999]00000;00000-0000", 901.0, Some("00901"));
        check("[<=99999]00000;00000\\-0000", 9_011_234.0, Some("00901-1234"));
        check("[$-409]00000", 901.0, Some("00901"));
        check("\"MAT-\"0000", 12.0, Some("MAT-0012"));
        check("[<=9999999]###\\-####;\\(###\\)\\ ###\\-####", 6_175_550_142.0, Some("(617) 555-0142"));
        check("000;-000", 7.0, Some("007"));
    }

    #[test]
    fn other_formats_leave_the_digits() {
        for code in ["General", "0.00", "#,##0", "0%", "0.00E+00", "@", "0;;;@ ", "[>5]00000"] {
            check(code, 1_500.0, None);
        }
        check("00000", 901.5, None);
        check("00000", -901.0, None);
    }

    #[test]
    fn a_format_with_a_day_or_a_time_is_a_day() {
        for code in ["m/d/yyyy h:mm", "d-mmm", "yyyy\\-mm\\-dd", "[$-409]mmmm d, yyyy;@", "h:mm AM/PM", "\"on \"d/m"] {
            assert_eq!(NumberFormat::of_code(code), NumberFormat::Day, "{code}");
        }
        for code in ["[h]:mm", "\"days\" 0", "0\\d", "[Red]0", "_d0"] {
            assert_ne!(NumberFormat::of_code(code), NumberFormat::Day, "{code}");
        }
        assert_eq!(NumberFormat::built_in(14), NumberFormat::Day);
        assert_eq!(NumberFormat::built_in(1), NumberFormat::General);
    }

    #[test]
    fn numbers_are_days_of_either_calendar() {
        let check = |number: f64, is_1904: bool, expected: Option<&str>| {
            assert_eq!(day(number, is_1904).as_deref(), expected, "{number}");
        };
        check(46_027.0, false, Some("2026-01-05"));
        check(46_027.75, false, Some("2026-01-05"));
        check(46_026.999_999_999, false, Some("2026-01-05"));
        check(44_565.0, true, Some("2026-01-05"));
        check(61.0, false, Some("1900-03-01"));
        check(60.0, false, None);
        check(73_415.0, false, Some("2100-12-31"));
        check(73_416.0, false, None);
        check(f64::NAN, false, None);
    }
}
