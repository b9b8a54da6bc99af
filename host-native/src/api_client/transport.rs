//! How one request gets to a service and its answer back.

use http::{HeaderMap, Method};

/// A request of the API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    /// `GET` or `POST`.
    pub(crate) method: &'a Method,
    /// Below the base address, with the query: `/clients?limit=100`.
    pub(crate) path: &'a str,
    /// JSON.
    pub(crate) body: Option<&'a str>,
    /// What makes it safe to send again.
    pub(crate) idempotency_key: Option<&'a str>,
}

/// An answer, whatever its status.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: u16,
    /// Its header fields.
    pub(crate) headers: HeaderMap,
    /// Its body, as it came.
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A header field, where it is text.
    #[must_use]
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// No connection was made, or it broke: later it may go well. Whether the service did what it was
    /// asked is not known.
    Unreachable(String),
    /// No secure connection can be made, later neither.
    Insecure(String),
    /// TLS was spoken, and plain HTTP came back.
    NotEncrypted,
    /// The address is not one.
    BadAddress(String),
}

/// Somebody who carries requests to a service: [`super::HttpTransport`], or a test.
pub(crate) trait Transport {
    /// Sends one request, once.
    ///
    /// # Errors
    /// When there is no whole answer.
    fn exchange(&self, request: &Request<'_>) -> Result<Answer, NoAnswer>;
}
