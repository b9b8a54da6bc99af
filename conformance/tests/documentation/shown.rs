//! What is shown against what came: equal, but for the values that differ from run to run.
//!
//! Ids, times, and texts that are cut with `…` represent a value of the same form. Within a page, a
//! shown value represents one value, and no two represent the same; times keep their order.

use std::collections::BTreeMap;

use matterbook_core::time::Timestamp;
use serde_json::Value;
use uuid::Uuid;

/// The actual value of each shown value.
#[derive(Default)]
pub struct Bindings {
    actual: BTreeMap<String, String>,
}

impl Bindings {
    /// Puts the values that came in place of those that are shown.
    pub fn resolve(&self, text: &str) -> String {
        self.actual.iter().fold(text.to_owned(), |text, (shown, actual)| text.replace(shown, actual))
    }

    /// Compares JSON, member by member.
    ///
    /// # Errors
    /// The first difference, with its place.
    pub fn compare(&mut self, place: &str, shown: &Value, actual: &Value) -> Result<(), String> {
        match (shown, actual) {
            (Value::Object(shown), Value::Object(actual)) => {
                if !shown.keys().eq(actual.keys()) {
                    let names =
                        |object: &serde_json::Map<String, Value>| object.keys().cloned().collect::<Vec<_>>().join(", ");
                    return Err(format!("{place} shows {} and has {}", names(shown), names(actual)));
                }
                shown
                    .iter()
                    .zip(actual.values())
                    .try_for_each(|((name, shown), actual)| self.compare(&format!("{place}.{name}"), shown, actual))
            }
            (Value::Array(shown), Value::Array(actual)) if shown.len() == actual.len() => {
                (0..).zip(shown.iter().zip(actual)).try_for_each(|(index, (shown, actual)): (usize, _)| {
                    self.compare(&format!("{place}[{index}]"), shown, actual)
                })
            }
            (Value::String(shown), Value::String(actual)) => self.compare_text(place, shown, actual),
            _ if shown == actual => Ok(()),
            _ => Err(format!("{place} shows {shown} and is {actual}")),
        }
    }

    /// Compares texts.
    ///
    /// # Errors
    /// When they differ, or one of them already represents another value.
    pub fn compare_text(&mut self, place: &str, shown: &str, actual: &str) -> Result<(), String> {
        if shown == actual {
            return Ok(());
        }
        // The end of a key, too short to stand for a value in other texts.
        if place.ends_with(".last_four") && shown.len() == actual.len() {
            return Ok(());
        }
        let stands_for = match shown.split_once('…') {
            Some((start, _)) => actual.starts_with(start),
            None if Uuid::try_parse(shown).is_ok() => Uuid::try_parse(actual).is_ok(),
            None if is_time(shown) => is_time(actual),
            None => false,
        };
        let differs = || format!("{place} shows {shown} and is {actual}");
        if !stands_for {
            return Err(differs());
        }
        if self.actual.entry(shown.to_owned()).or_insert_with(|| actual.to_owned()) != actual {
            return Err(differs());
        }
        let mut times: Vec<_> =
            self.actual.iter().filter(|(shown, _)| is_time(shown)).map(|(_, actual)| actual).collect();
        let is_in_order = times.is_sorted();
        times.dedup();
        let mut values: Vec<_> = self.actual.values().collect();
        values.sort();
        values.dedup();
        if !is_in_order || values.len() != self.actual.len() {
            return Err(format!("{place} shows {shown}, which cannot stand for {actual} beside the rest of the page"));
        }
        Ok(())
    }
}

/// Whether a text is a time, and written as answers write it.
fn is_time(text: &str) -> bool {
    Timestamp::parse_rfc3339(text).is_some_and(|time| time.to_string() == text)
}
