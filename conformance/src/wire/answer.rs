//! An answer, and the questions that cases ask of it.

use http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::{Failure, failure::shorten};

/// The answer to one request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The request, its secrets left out.
    pub sent: String,
    /// HTTP status.
    pub status: u16,
    /// Header fields.
    pub headers: HeaderMap,
    /// The body's bytes.
    pub body: Vec<u8>,
    /// The body as JSON; `Null` when it is none.
    pub json: Value,
}

/// Every code and the statuses it comes with (rules E2 and E3).
const CODES: [(&str, &[u16]); 10] = [
    ("unauthorized", &[401]),
    ("forbidden", &[403]),
    ("not_enabled", &[403]),
    ("bundle_required", &[403]),
    ("rate_limited", &[429]),
    ("invalid_request", &[400, 405, 408, 413, 415, 422]),
    ("not_found", &[404]),
    ("conflict", &[409]),
    ("cursor_stale", &[409]),
    ("internal", &[500]),
];

impl Answer {
    /// An answer of these parts.
    #[must_use]
    pub fn new(sent: String, status: u16, headers: HeaderMap, body: Vec<u8>) -> Self {
        let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Self { sent, status, headers, body, json }
    }

    /// A failure about this answer.
    pub fn failure(&self, expected: impl Into<String>) -> Failure {
        let headers: String =
            self.headers.iter().map(|(name, value)| format!(" [{name}: {}]", value.to_str().unwrap_or("?"))).collect();
        let body = shorten(&String::from_utf8_lossy(&self.body));
        let reason = StatusCode::from_u16(self.status).ok().and_then(|status| status.canonical_reason()).unwrap_or("");
        Failure::new(self.sent.clone(), expected, format!("{} {reason}{headers} {body}", self.status))
    }

    /// Holds this answer to what every answer keeps.
    ///
    /// # Errors
    /// When it breaks a rule.
    pub fn keeps_common_rules(&self, to_head: bool) -> Result<(), Failure> {
        if !self.header("content-type").is_some_and(|value| value.to_ascii_lowercase().starts_with("application/json"))
        {
            return Err(self.failure("Content-Type: application/json"));
        }
        self.expect_header("cache-control", "no-store")?;
        if self.header("x-request-id").is_none_or(str::is_empty) {
            return Err(self.failure("an X-Request-Id"));
        }
        if to_head {
            return if self.body.is_empty() { Ok(()) } else { Err(self.failure("no body in an answer to HEAD")) };
        }
        if !self.body.ends_with(b"\n") {
            return Err(self.failure("a newline at the end"));
        }
        if self.status == 200 {
            return if self.json.is_object() { Ok(()) } else { Err(self.failure("a JSON object")) };
        }
        self.keeps_error_shape()
    }

    /// Rule E1: `{"error":{"code","message"}}`, and on a conflict of the public API `result`, or `results` of a batch with a plan.
    fn keeps_error_shape(&self) -> Result<(), Failure> {
        let code = self.json.pointer("/error/code").and_then(Value::as_str).unwrap_or("");
        let message = self.json.pointer("/error/message").and_then(Value::as_str).unwrap_or("");
        let fits = CODES.iter().any(|(known, statuses)| *known == code && statuses.contains(&self.status));
        if !fits || message.is_empty() {
            return Err(self.failure("an error body whose code belongs to the status, with a message"));
        }
        let members = |value: &Value| -> Vec<String> {
            value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
        };
        let outer = members(&self.json);
        let expected: &[&str] = match code {
            // No client is in the way of an operator's request.
            "conflict" if self.sent.contains(" /operator/v1/") => &["error"],
            "conflict" if self.json.get("results").is_some() => &["error", "results"],
            "conflict" => &["error", "result"],
            _ => &["error"],
        };
        if outer != expected || members(self.at("/error")).len() != 2 {
            return Err(self.failure(format!("an error body with the members {expected:?}, code and message only")));
        }
        Ok(())
    }

    /// The first value of a header field.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Holds a header field to one exact value.
    ///
    /// # Errors
    /// When it is missing, differs or is there twice.
    pub fn expect_header(&self, name: &str, value: &str) -> Result<&Self, Failure> {
        let once = self.headers.get_all(name).iter().count() == 1;
        if once && self.header(name) == Some(value) { Ok(self) } else { Err(self.failure(format!("{name}: {value}"))) }
    }

    /// Holds a header field to be absent.
    ///
    /// # Errors
    /// When it is there.
    pub fn expect_no_header(&self, name: &str) -> Result<&Self, Failure> {
        if self.headers.contains_key(name) { Err(self.failure(format!("no {name} header"))) } else { Ok(self) }
    }

    /// Holds the status.
    ///
    /// # Errors
    /// When it is another.
    pub fn expect_status(&self, status: u16) -> Result<&Self, Failure> {
        if self.status == status { Ok(self) } else { Err(self.failure(format!("status {status}"))) }
    }

    /// Holds this to be a success.
    ///
    /// # Errors
    /// When it is not.
    pub fn ok(self) -> Result<Self, Failure> {
        self.expect_status(200)?;
        Ok(self)
    }

    /// Holds this to be that error.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn expect_error(&self, status: u16, code: &str) -> Result<&Self, Failure> {
        let came = self.json.pointer("/error/code").and_then(Value::as_str);
        if self.status == status && came == Some(code) {
            Ok(self)
        } else {
            Err(self.failure(format!("{status} {code}")))
        }
    }

    /// Holds this to be a 400 `invalid_request` whose message names each of `words`.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn expect_refusal(&self, words: &[&str]) -> Result<&Self, Failure> {
        self.expect_error(400, "invalid_request")?.expect_words("/error/message", words)
    }

    /// Holds the text at `pointer` to contain each of `words`, in any letter case.
    ///
    /// # Errors
    /// When one is missing.
    pub fn expect_words(&self, pointer: &str, words: &[&str]) -> Result<&Self, Failure> {
        let text = self.text(pointer)?.to_lowercase();
        match words.iter().find(|word| !text.contains(&word.to_lowercase())) {
            None => Ok(self),
            Some(word) => Err(self.failure(format!("a text at {pointer} that names {word:?}"))),
        }
    }

    /// The JSON value there; `Null` when there is none.
    #[must_use]
    pub fn at(&self, pointer: &str) -> &Value {
        self.json.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// Holds the JSON value there.
    ///
    /// # Errors
    /// When it is another, or there is none.
    pub fn expect(&self, pointer: &str, value: impl Into<Value>) -> Result<&Self, Failure> {
        let value = value.into();
        if self.json.pointer(pointer) == Some(&value) {
            Ok(self)
        } else {
            Err(self.failure(format!("{value} at {pointer}")))
        }
    }

    /// Holds that there is no value there, not even `null`.
    ///
    /// # Errors
    /// When there is one.
    pub fn expect_absent(&self, pointer: &str) -> Result<&Self, Failure> {
        match self.json.pointer(pointer) {
            None => Ok(self),
            Some(_) => Err(self.failure(format!("nothing at {pointer}"))),
        }
    }

    /// The text there.
    ///
    /// # Errors
    /// When there is none.
    pub fn text(&self, pointer: &str) -> Result<String, Failure> {
        match self.json.pointer(pointer).and_then(Value::as_str) {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.failure(format!("a string at {pointer}"))),
        }
    }

    /// The array there.
    ///
    /// # Errors
    /// When there is none.
    pub fn array(&self, pointer: &str) -> Result<&Vec<Value>, Failure> {
        self.json
            .pointer(pointer)
            .and_then(Value::as_array)
            .ok_or_else(|| self.failure(format!("an array at {pointer}")))
    }
}
