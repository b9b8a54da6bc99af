//! Records examples from a service in this process.

use std::{
    net::Ipv4Addr,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use http::Response;
use matterbook_core::{
    api::{Api, BodyError, CallerAddress, FailedAuthentications, RequestBody},
    memory::{ManualPlatform, MemoryRateLimiter, MemoryStore, test_key_secrets},
    settings::Settings,
    time::Timestamp,
};

use crate::{examples::Example, node::Node};

/// The service's operator token.
pub const OPERATOR_TOKEN: &str = "operator-token";

/// More failed authentications than the examples have, before the one that is refused.
pub const FAILURES_MAX: u32 = 20;

/// A service in this process, and its recorded examples.
pub struct Scene {
    api: Api<MemoryStore, MemoryRateLimiter, ManualPlatform>,
    pub clock: ManualPlatform,
    pub examples: Vec<Example>,
    /// A live key.
    pub key: String,
}

/// A body in memory.
pub enum Body {
    Text(String),
    TooLarge,
    TooSlow,
}

impl RequestBody for Body {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        match self {
            Self::Text(text) => text.into_bytes().read(limit_bytes).await,
            Self::TooLarge => Err(BodyError::TooLarge),
            Self::TooSlow => Err(BodyError::TooSlow),
        }
    }
}

impl Scene {
    /// A service without an account.
    pub fn new() -> Self {
        let start = Timestamp::parse_rfc3339("2026-03-02T12:00:00Z").unwrap_or_default();
        let clock = ManualPlatform::new(start);
        let settings = Settings {
            operator_token: Some(OPERATOR_TOKEN.to_owned()),
            public_url: Some("https://matterbook.example.com".to_owned()),
            ..Settings::default()
        };
        let api =
            Api::new(MemoryStore::default(), MemoryRateLimiter::default(), clock.clone(), settings, test_key_secrets());
        let api = api.with_failed_authentications(Arc::new(FailedAuthentications::new(FAILURES_MAX, FAILURES_MAX)));
        Self { api, clock, examples: Vec::new(), key: String::new() }
    }

    /// Records a request of the public API and its 200.
    pub fn call(&mut self, operation: &str, name: &str, method: &str, path: &str, body: &str) -> Node {
        self.record_request(operation, name, body);
        self.answer_of(operation, 200, name, method, path, body)
    }

    /// Records a response of the public API.
    pub fn answer_of(&mut self, of: &str, status: u16, name: &str, method: &str, path: &str, body: &str) -> Node {
        let key = self.key.clone();
        self.clock.advance(Duration::from_secs(1));
        let answer = self.send(method, &format!("/api/v1/{path}"), Some(&key), &[], Body::Text(body.to_owned()));
        debug_assert_eq!(answer.status(), status, "{of}: {name}: {}", String::from_utf8_lossy(answer.body()));
        self.record(of, name, &answer);
        read(&answer)
    }

    /// Records a request of the operator API and its response.
    pub fn operate(&mut self, operation: &str, name: &str, method: &str, path: &str, body: &str) -> Node {
        self.record_request(operation, name, body);
        let answer = self.operator(method, path, body);
        debug_assert_eq!(answer.status(), 200, "{operation}: {name}");
        self.record(operation, name, &answer);
        read(&answer)
    }

    pub fn operator(&mut self, method: &str, path: &str, body: &str) -> Response<Vec<u8>> {
        self.clock.advance(Duration::from_secs(1));
        let path = format!("/operator/v1/{path}");
        self.send(method, &path, Some(OPERATOR_TOKEN), &[], Body::Text(body.to_owned()))
    }

    pub fn send(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Response<Vec<u8>> {
        let mut request = http::Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let (mut head, ()) = request.body(()).unwrap_or_default().into_parts();
        head.extensions.insert(CallerAddress(Ipv4Addr::LOCALHOST.into()));
        match pin!(self.api.handle(head, body)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(handled) => handled.response,
            // A store in memory never waits.
            Poll::Pending => Response::default(),
        }
    }

    fn record_request(&mut self, operation: &str, name: &str, body: &str) {
        if let Ok(value) = serde_json::from_str(body) {
            self.add(operation, None, name, value);
        }
    }

    /// An example that is written down.
    pub fn add_json(&mut self, of: &str, status: Option<u16>, name: &str, json: &str) {
        if let Ok(value) = serde_json::from_str(json) {
            self.add(of, status, name, value);
        }
    }

    pub fn record(&mut self, of: &str, name: &str, answer: &Response<Vec<u8>>) {
        self.add(of, Some(answer.status().as_u16()), name, read(answer));
    }

    fn add(&mut self, of: &str, status: Option<u16>, summary: &str, value: Node) {
        let (of, name) = (of.to_owned(), camel_case(summary));
        self.examples.push(Example { of, status, name, summary: summary.to_owned(), value });
    }

    /// Shortens the key in the examples of an operation.
    pub fn hide_key(&mut self, operation: &str) {
        let shown = format!("{}…", Settings::default().key_prefix);
        for example in self.examples.iter_mut().filter(|example| example.of == operation) {
            example.value.for_each_text(&mut |text| {
                if *text == self.key {
                    text.clone_from(&shown);
                } else if text.len() == 4 && self.key.ends_with(text.as_str()) {
                    "x7Qk".clone_into(text);
                }
            });
        }
    }
}

/// The key of an example in a document: `aNewClient`.
fn camel_case(summary: &str) -> String {
    let words = summary.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.enumerate().fold(String::new(), |name, (place, word)| {
        let (first, rest) = word.split_at(1);
        name + &if place == 0 { first.to_lowercase() } else { first.to_uppercase() } + rest
    })
}

pub fn read(answer: &Response<Vec<u8>>) -> Node {
    serde_json::from_slice(answer.body()).unwrap_or(Node::Null)
}

/// The text at a path.
pub fn text(node: &Node, place: &[&str]) -> String {
    let found = place.iter().try_fold(node, |node, step| match node {
        Node::Object(members) => members.get(*step),
        Node::Array(values) => values.get(step.parse::<usize>().ok()?),
        _ => None,
    });
    match found {
        Some(Node::Text(text)) => text.clone(),
        _ => String::new(),
    }
}
