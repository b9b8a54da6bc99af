//! A request as a case writes it, down to the way in which its body travels.

use serde_json::Value;

/// An HTTP request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method, as sent.
    pub method: String,
    /// Path and query, as sent: nothing is encoded or normalized on the way.
    pub target: String,
    /// Header fields in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Body,
}

/// How a body travels.
#[derive(Clone, Debug, Default)]
pub enum Body {
    /// There is none.
    #[default]
    None,
    /// With its length in the head.
    Whole(Vec<u8>),
    /// In chunks, its length unknown beforehand.
    Chunked(Vec<u8>),
    /// Announced with a length and never sent: a handler that waits for it never answers.
    Withheld {
        /// The length in the head.
        length: usize,
    },
    /// Announced with a length, begun, and never finished.
    Stalled {
        /// What is sent.
        begun: Vec<u8>,
        /// The length in the head.
        length: usize,
    },
}

impl Request {
    /// A request without headers and body.
    pub fn new(method: &str, target: impl Into<String>) -> Self {
        Self { method: method.to_owned(), target: target.into(), headers: Vec::new(), body: Body::None }
    }

    /// This request with one more header field.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// This request with a bearer token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    /// This request with a body.
    #[must_use]
    pub fn body(mut self, body: Body) -> Self {
        self.body = body;
        self
    }

    /// This request with a JSON body and its media type.
    #[must_use]
    pub fn json(self, value: &Value) -> Self {
        self.json_text(&value.to_string())
    }

    /// This request with that text as its JSON body, digit for digit.
    #[must_use]
    pub fn json_text(self, text: &str) -> Self {
        self.header("Content-Type", "application/json").body(Body::Whole(text.as_bytes().to_vec()))
    }
}

impl std::fmt::Display for Request {
    /// For a person who reads a failure. Secrets are left out.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.method, self.target)?;
        for (name, value) in &self.headers {
            if ["authorization", "cookie"].iter().any(|secret| name.eq_ignore_ascii_case(secret)) {
                write!(formatter, " [{name}: …]")?;
            } else {
                write!(formatter, " [{name}: {}]", super::failure::shorten(value))?;
            }
        }
        let show = |bytes: &[u8]| super::failure::shorten(&String::from_utf8_lossy(bytes));
        match &self.body {
            Body::None => Ok(()),
            Body::Whole(bytes) => write!(formatter, " {}", show(bytes)),
            Body::Chunked(bytes) => write!(formatter, " (chunked) {}", show(bytes)),
            Body::Withheld { length } => write!(formatter, " (a body of {length} bytes announced, none sent)"),
            Body::Stalled { begun, length } => {
                write!(formatter, " (a body of {length} bytes announced, {} sent)", begun.len())
            }
        }
    }
}
