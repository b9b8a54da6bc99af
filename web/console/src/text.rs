//! Values as people read them: dates as `MM/DD/YYYY`, phones as written in the United States, counts with commas.

use matterbook_core::{
    account::Role,
    chrono::{Datelike as _, NaiveDate},
    time::{Timestamp, iso_date},
};
use maud::{Markup, html};

/// A date as `MM/DD/YYYY`.
///
/// ```
/// use matterbook_core::time::parse_iso_date;
/// assert_eq!(parse_iso_date("2026-01-05").map(matterbook_console::text::date).as_deref(), Some("01/05/2026"));
/// ```
#[must_use]
pub fn date(date: NaiveDate) -> String {
    format!("{:02}/{:02}/{:04}", date.month(), date.day(), date.year())
}

/// A time. It is in UTC; the script of the pages shows it in the zone of the browser.
#[must_use]
pub fn time(at: Timestamp) -> Markup {
    let exact = at.to_string();
    html! { time datetime=(exact) { (utc(&exact)) } }
}

/// The day of a time, in UTC.
#[must_use]
pub fn day(at: Timestamp) -> Option<NaiveDate> {
    matterbook_core::time::parse_iso_date(at.to_string().get(..10)?)
}

/// `MM/DD/YYYY HH:MM UTC` of a time in RFC 3339.
fn utc(exact: &str) -> String {
    let part = |from: usize, to: usize| exact.get(from..to).unwrap_or_default();
    format!("{}/{}/{} {} UTC", part(5, 7), part(8, 10), part(0, 4), part(11, 16))
}

/// A phone number: `(217) 555-0134` for numbers of the United States and Canada, others as they are stored.
///
/// ```
/// assert_eq!(matterbook_console::text::phone("+12175550134"), "(217) 555-0134");
/// assert_eq!(matterbook_console::text::phone("+4712345678"), "+4712345678");
/// ```
#[must_use]
pub fn phone(stored: &str) -> String {
    let parts = stored.strip_prefix("+1").filter(|digits| digits.len() == 10).and_then(|digits| {
        let (area, rest) = digits.split_at_checked(3)?;
        let (exchange, line) = rest.split_at_checked(3)?;
        Some(format!("({area}) {exchange}-{line}"))
    });
    parts.unwrap_or_else(|| stored.to_owned())
}

/// A count with commas: `12,345`.
///
/// ```
/// assert_eq!(matterbook_console::text::count(1_234_567), "1,234,567");
/// assert_eq!(matterbook_console::text::count(12), "12");
/// ```
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// First and last name in one text; `None` if there is neither.
#[must_use]
pub fn name(first: Option<&str>, last: Option<&str>) -> Option<String> {
    match (first, last) {
        (Some(first), Some(last)) => Some(format!("{first} {last}")),
        (one, None) | (None, one) => one.map(str::to_owned),
    }
}

/// A stored word such as `suspected_serious` for people: `Suspected serious`.
///
/// ```
/// assert_eq!(matterbook_console::text::words("suspected_serious"), "Suspected serious");
/// ```
#[must_use]
pub fn words(stored: &str) -> String {
    let mut text = stored.replace('_', " ");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The name of a role.
#[must_use]
pub const fn role(role: Role) -> &'static str {
    match role {
        Role::Owner => "Owner",
        Role::Teammate => "Teammate",
        Role::ViewOnly => "View only",
    }
}

/// A date as a field of type `date` has it.
#[must_use]
pub fn field_date(date: Option<NaiveDate>) -> String {
    date.map(|date| iso_date(date).to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_a_script_says_that_it_is_utc() {
        let at = Timestamp::parse_rfc3339("2026-11-24T05:33:09Z").unwrap();
        let shown = time(at).into_string();
        assert_eq!(shown, r#"<time datetime="2026-11-24T05:33:09.000000Z">11/24/2026 05:33 UTC</time>"#);
        assert_eq!(day(at).map(date).as_deref(), Some("11/24/2026"));
    }

    #[test]
    fn a_person_with_one_name_has_it_alone() {
        assert_eq!(name(Some("Ana"), Some("Li")).as_deref(), Some("Ana Li"));
        assert_eq!(name(None, Some("Li")).as_deref(), Some("Li"));
        assert_eq!(name(Some("Ana"), None).as_deref(), Some("Ana"));
        assert_eq!(name(None, None), None);
    }
}
