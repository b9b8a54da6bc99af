//! Every value that a service was sent or answered, to search for in its log, where none may be (rule D5).

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use matterbook_core::api::endpoints;
use serde_json::{Map, Value};

use super::{Answer, Body, Facts, Request, Service};

/// Shorter values are left out: they occur by chance.
const SHORTEST_VALUE: usize = 5;

/// The fields of a request's line that say nothing of a caller. Anything else is looked through.
const HARMLESS: [&str; 19] = [
    "timestamp",
    "level",
    "message",
    "request_id",
    "method",
    "route",
    "status",
    "account",
    "duration_ms",
    "created",
    "updated",
    "conflicts",
    "errors",
    "count",
    "round_trips",
    "statements",
    "rows_read",
    "rows_written",
    "database_bytes",
];

/// The sentences of events whose words are the same whatever callers send.
const SENTENCES: [&str; 3] = ["request", "request failed", "requests without a valid key or token were refused"];

/// Members of answers that identify no person.
const PUBLIC_MEMBERS: [&str; 2] = ["code", "status"];

/// A service that keeps what is sent to it and what it answers.
pub struct RecordingService<'s> {
    service: &'s dyn Service,
    values: Mutex<BTreeSet<String>>,
}

impl<'s> RecordingService<'s> {
    /// Records what goes over that service from now on.
    #[must_use]
    pub fn new(service: &'s dyn Service) -> Self {
        let values = BTreeSet::from([service.facts().operator_token.clone()]);
        Self { service, values: Mutex::new(values) }
    }

    /// How many different values went over it.
    #[must_use]
    pub fn count(&self) -> usize {
        self.values().len()
    }

    /// The lines of a log that hold a value which went over the service. A line of the form in which
    /// nothing can be is passed over: known fields only, each with a word of a closed set.
    #[must_use]
    pub fn leaks(&self, log: &[String]) -> Vec<String> {
        let suspects: BTreeSet<(String, &String)> =
            log.iter().filter_map(|line| Some((what_may_tell(line)?, line))).collect();
        let values = self.values();
        let mut leaks = BTreeSet::new();
        for (text, line) in suspects {
            if let Some(value) = values.iter().find(|value| text.contains(value.as_str())) {
                leaks.insert(format!("{value:?} in: {line}"));
            }
        }
        leaks.into_iter().collect()
    }

    /// Nothing panics while the lock is held.
    fn values(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_request(&self, request: &Request) {
        let mut noted = Noted::default();
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let known: BTreeSet<&str> = templates().flat_map(|template| template.split('/')).collect();
        noted.extend(path.split('/').filter(|segment| !known.contains(segment)));
        noted.extend(query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value)));
        for (_, value) in &request.headers {
            noted.extend(value.split(' '));
            // Of a cookie, the token alone.
            noted.extend(value.split(';').filter_map(|pair| Some(pair.split_once('=')?.1)));
        }
        match &request.body {
            Body::None | Body::Withheld { .. } => {}
            Body::Whole(bytes) | Body::Chunked(bytes) | Body::Stalled { begun: bytes, .. } => noted.body(bytes),
        }
        self.values().extend(noted.0);
    }

    fn note_answer(&self, answer: &Answer) {
        let mut noted = Noted::default();
        let mut json = answer.json.clone();
        // The names of the columns of an export are those of the schema.
        json.pointer_mut("/export/head/tables").map(Value::take);
        noted.json(&json);
        self.values().extend(noted.0);
    }
}

impl Service for RecordingService<'_> {
    fn exchange(&self, request: &Request) -> Result<Answer, String> {
        self.note_request(request);
        let answer = self.service.exchange(request)?;
        // The description of the API is everybody's, and full of words that a log may hold as well.
        if request.target != "/openapi.json" {
            self.note_answer(&answer);
        }
        Ok(answer)
    }

    fn elapse(&self, duration: Duration) {
        self.service.elapse(duration);
    }

    fn clock(&self) -> Duration {
        self.service.clock()
    }

    fn facts(&self) -> &Facts {
        self.service.facts()
    }
}

/// Values that went over.
#[derive(Default)]
struct Noted(BTreeSet<String>);

impl Noted {
    fn text(&mut self, text: &str) {
        // A long text would not be logged whole.
        let start: String = text.trim().chars().take(60).collect();
        if start.chars().count() >= SHORTEST_VALUE {
            self.0.insert(start);
        }
    }

    fn extend<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        texts.for_each(|text| self.text(text));
    }

    fn body(&mut self, bytes: &[u8]) {
        match serde_json::from_slice(bytes) {
            Ok(value) => self.json(&value),
            Err(_) => {
                let text = String::from_utf8_lossy(bytes.get(..1_000).unwrap_or(bytes));
                self.text(&text);
                // The values of a form.
                self.extend(text.split('&').filter_map(|pair| Some(pair.split_once('=')?.1)));
            }
        }
    }

    fn json(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => self.text(&number.to_string()),
            Value::String(text) => self.text(text),
            Value::Array(values) => values.iter().for_each(|value| self.json(value)),
            Value::Object(members) => {
                let telling = members.iter().filter(|(name, _)| !PUBLIC_MEMBERS.contains(&name.as_str()));
                telling.for_each(|(_, value)| self.json(value));
            }
        }
    }
}

/// The templates of all paths, those of the console included.
fn templates() -> impl Iterator<Item = &'static str> {
    endpoints().map(|(_, path)| path).chain(matterbook_console::endpoints().map(|(_, path, _)| path))
}

/// What of a line may tell something; nothing of a line whose form leaves no room for it.
fn what_may_tell(line: &str) -> Option<String> {
    let fields = match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => fields,
        _ => return text_may_tell(line),
    };
    let open: Map<String, Value> = fields.into_iter().filter(|(name, value)| !is_closed(name, value)).collect();
    if open.is_empty() { None } else { Some(Value::Object(open).to_string()) }
}

/// The same of a line of text, whose fields are `name=value` after the words of the event.
fn text_may_tell(line: &str) -> Option<String> {
    let line = SENTENCES.iter().fold(line.to_owned(), |line, sentence| line.replace(&format!(" {sentence} "), " "));
    // The time, the level, the event's words.
    let words = line.split_whitespace().skip(2).filter(|word| match word.split_once('=') {
        Some((name, value)) => {
            let value = value.trim_matches('"');
            !is_closed(name, &value.parse::<f64>().map_or_else(|_| Value::from(value), Value::from))
        }
        None => *word != "request",
    });
    let open = words.collect::<Vec<_>>().join(" ");
    if open.is_empty() { None } else { Some(open) }
}

/// Whether a field can only hold what says nothing.
fn is_closed(name: &str, value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    HARMLESS.contains(&name)
        && match name {
            "method" => ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "other"].contains(&text),
            "route" => {
                ["…", "/api/v1/…", "/operator/v1/…", "/app/…"].contains(&text) || templates().any(|path| path == text)
            }
            "request_id" | "account" => uuid::Uuid::parse_str(text).is_ok(),
            "level" => ["INFO", "WARN", "ERROR"].contains(&text),
            "message" => SENTENCES.contains(&text),
            "timestamp" => text.len() < 40 && text.ends_with('Z'),
            _ => value.is_number(),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<&str>) {
        assert_eq!(what_may_tell(line).as_deref(), expected, "{line}");
    }

    const ID: &str = "019b76da-a800-7000-8000-000000000000";

    #[test]
    fn a_line_of_known_fields_has_no_room_for_a_value() {
        check(
            &format!(r#"{{"level":"INFO","message":"request","request_id":"{ID}","status":200,"route":"/api/v1/me"}}"#),
            None,
        );
        check(
            &format!(
                "2026-01-01T00:00:00Z  INFO request request_id={ID} method=\"GET\" route=\"/api/v1/me\" status=200 duration_ms=0.3"
            ),
            None,
        );
    }

    #[test]
    fn whatever_else_a_line_holds_is_looked_through() {
        check(r#"{"message":"request","path":"/api/v1/Ada"}"#, Some(r#"{"path":"/api/v1/Ada"}"#));
        check(r#"{"message":"Ada came"}"#, Some(r#"{"message":"Ada came"}"#));
        check(r#"{"route":"/api/v1/Ada","status":"Ada"}"#, Some(r#"{"route":"/api/v1/Ada","status":"Ada"}"#));
        check(r#"{"request_id":"Ada","cause":"Ada"}"#, Some(r#"{"cause":"Ada","request_id":"Ada"}"#));
        check("2026-01-01T00:00:00Z  INFO request route=\"/api/v1/Ada\" status=200", Some("route=\"/api/v1/Ada\""));
        check("2026-01-01T00:00:00Z ERROR Ada Reyes came", Some("Ada Reyes came"));
    }
}
