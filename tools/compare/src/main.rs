//! Compares the rules with libraries for one kind of value each: rows a second, and how many values of a list each
//! reads. All work on the same values, in turns, in one run.

mod values;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use matterbook_rules::normalize::{self, FieldValue};

/// The values of one list.
const ROWS: usize = 100_000;

/// One library's way to read one value: `None` if it does not.
type Read = fn(&str) -> Option<String>;

/// Lists, and who reads them.
fn contests() -> [(&'static str, Vec<String>, Vec<(&'static str, Read)>); 3] {
    [
        (
            "phone numbers to E.164",
            values::phones(ROWS),
            vec![("matterbook-rules", rules_phone as Read), ("phonenumber", phonenumber_phone)],
        ),
        (
            "dates",
            values::dates(ROWS),
            vec![("matterbook-rules", rules_date as Read), ("jiff", jiff_date), ("chrono", chrono_date)],
        ),
        (
            "email addresses",
            values::emails(ROWS),
            vec![("matterbook-rules", rules_email as Read), ("validator", validator_email)],
        ),
    ]
}

fn main() {
    let rounds = if std::env::args().nth(1).as_deref() == Some("--quick") { 1 } else { 5 };
    println!("| values | library | rows a second | read | as the rules |\n|---|---|--:|--:|--:|");
    for (list, values, libraries) in contests() {
        let mut times = vec![Vec::new(); libraries.len()];
        for _ in 0..rounds {
            for ((_, read), times) in libraries.iter().zip(&mut times) {
                times.push(time(*read, &values));
            }
        }
        let reference: Vec<_> =
            libraries.iter().take(1).flat_map(|(_, read)| values.iter().map(|text| read(text))).collect();
        for ((library, read), times) in libraries.iter().zip(&mut times) {
            let results: Vec<_> = values.iter().map(|text| read(text)).collect();
            let is_read = results.iter().filter(|result| result.is_some()).count();
            let agrees = results.iter().zip(&reference).filter(|(one, other)| one == other).count();
            times.sort();
            let median = times.get(times.len() / 2).copied().unwrap_or_default();
            let speed = thousands(f64::from(u32::try_from(ROWS).unwrap_or_default()) / median.as_secs_f64());
            println!("| {list} | {library} | {speed} | {} | {} |", percent(is_read), percent(agrees));
        }
    }
}

fn time(read: Read, values: &[String]) -> Duration {
    let start = Instant::now();
    for text in values {
        black_box(read(black_box(text)));
    }
    start.elapsed()
}

fn percent(count: usize) -> String {
    format!(
        "{:.1} %",
        100.0 * f64::from(u32::try_from(count).unwrap_or_default()) / f64::from(u32::try_from(ROWS).unwrap_or(1))
    )
}

/// A number in thousands, with three digits.
fn thousands(number: f64) -> String {
    let digits = format!("{:.0}", (number / 1000.0).round());
    match digits.split_at_checked(digits.len().saturating_sub(3)) {
        Some((front, back)) if !front.is_empty() => format!("{front},{back},000"),
        _ => format!("{digits},000"),
    }
}

fn rules_phone(text: &str) -> Option<String> {
    Some(normalize::phone(&FieldValue::from(text)).ok()??.to_string())
}

fn phonenumber_phone(text: &str) -> Option<String> {
    let number = phonenumber::parse(Some(phonenumber::country::US), text).ok()?;
    Some(number.format().mode(phonenumber::Mode::E164).to_string())
}

fn rules_date(text: &str) -> Option<String> {
    Some(normalize::date(&FieldValue::from(text)).ok()??.to_string())
}

/// The forms that the rules read, as jiff names them.
fn jiff_date(text: &str) -> Option<String> {
    let text = text.trim();
    let date = text.parse::<jiff::civil::Date>().or_else(|_| jiff::civil::Date::strptime("%m/%d/%Y", text));
    let date = date.or_else(|_| jiff::civil::Date::strptime("%B %d, %Y", text));
    let date = date.or_else(|_| jiff::civil::Date::strptime("%b %d, %Y", text));
    Some(date.ok()?.to_string())
}

/// The forms that the rules read, as chrono names them.
fn chrono_date(text: &str) -> Option<String> {
    let text = text.trim();
    let date = ["%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y"]
        .into_iter()
        .find_map(|form| chrono::NaiveDate::parse_from_str(text, form).ok());
    Some(date?.to_string())
}

fn rules_email(text: &str) -> Option<String> {
    Some(normalize::email(&FieldValue::from(text)).ok()??.to_string())
}

/// validator checks and does not normalize.
fn validator_email(text: &str) -> Option<String> {
    use validator::ValidateEmail as _;
    text.validate_email().then(|| text.to_owned())
}
