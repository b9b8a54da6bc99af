//! Answers as bytes, where no HTTP library is between us and the socket.

use std::time::Duration;

use http::{Response, StatusCode};
use matterbook_core::api::HostRefusal;

use super::log::log_request;
use crate::{metrics::RequestMetrics, platform::SystemPlatform};

/// The bytes of an answer after which the connection is closed.
pub(super) fn to_bytes(response: &Response<Vec<u8>>) -> Vec<u8> {
    let status = response.status();
    let mut bytes =
        format!("HTTP/1.1 {} {}\r\n", status.as_str(), status.canonical_reason().unwrap_or_default()).into_bytes();
    for (name, value) in response.headers() {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(
        format!("content-length: {}\r\nconnection: close\r\n\r\n", response.body().len()).as_bytes(),
    );
    bytes.extend_from_slice(response.body());
    bytes
}

/// What to send in place of a refusal that the HTTP parser wrote by itself. Those are whole empty
/// answers of a 4xx status, which no answer of the rules is: all of theirs have an `X-Request-Id`.
pub(super) fn replacement_of_refusal(bytes: &[u8], metrics: &RequestMetrics) -> Option<Vec<u8>> {
    const LONGEST: usize = 256;
    if bytes.len() > LONGEST || !bytes.starts_with(b"HTTP/1.") || !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let head = std::str::from_utf8(bytes).ok()?;
    let is_empty = head.contains("\r\ncontent-length: 0\r\n") && !head.contains("\r\nx-request-id:");
    let status =
        StatusCode::from_bytes(bytes.get(9..12)?).ok().filter(|status| status.is_client_error() && is_empty)?;
    let refusal =
        if status == StatusCode::BAD_REQUEST { HostRefusal::MalformedHead } else { HostRefusal::HeadTooLarge };
    let handled = refusal.answer(&SystemPlatform::default());
    log_request(metrics, None, &handled, Duration::ZERO);
    Some(to_bytes(&handled.response))
}
