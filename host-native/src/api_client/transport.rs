//! How one request is sent and its response received.

use http::{HeaderMap, Method};

/// A request of the API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    /// `GET` or `POST`.
    pub(crate) method: &'a Method,
    /// The path below the base address, with the query: `/clients?limit=100`.
    pub(crate) path: &'a str,
    /// The JSON body.
    pub(crate) body: Option<&'a str>,
    /// The idempotency key, which makes the request safe to repeat.
    pub(crate) idempotency_key: Option<&'a str>,
}

/// A response with any status.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// The HTTP status.
    pub(crate) status: u16,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// Its raw body.
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header, if it is text.
    #[must_use]
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// The connection failed or broke; a retry may succeed. It is unknown whether the service handled the
    /// request.
    Unreachable(String),
    /// No secure connection is possible; a retry does not help.
    Insecure(String),
    /// The peer answered the TLS handshake in plain HTTP.
    NotEncrypted,
    /// The address is invalid.
    BadAddress(String),
}

/// Sends requests to a service: [`super::HttpTransport`], or a test.
pub(crate) trait Transport {
    /// Sends one request, without a retry.
    ///
    /// # Errors
    /// When there is no complete response.
    fn exchange(&self, request: &Request<'_>) -> Result<Answer, NoAnswer>;
}
