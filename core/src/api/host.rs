//! The answers of a host that never reach [`super::Api::handle`]: the same error shape, so that a
//! caller needs to know only one (design section 2).

use http::{HeaderValue, Response, StatusCode, header};
use uuid::Builder;

use super::Handled;
use crate::platform::Platform;

/// Why a host answers by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostRefusal {
    /// More connections than it serves at once.
    TooManyConnections,
    /// Handling the request panicked.
    Panicked,
    /// What came in is not HTTP.
    MalformedHead,
    /// The request line or the headers are larger than it reads.
    HeadTooLarge,
}

impl HostRefusal {
    /// The whole answer, with a request id for the log.
    pub fn answer(self, platform: &impl Platform) -> Handled {
        let (status, code, message, retry_after_seconds) = match self {
            Self::TooManyConnections => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "The service is busy and nothing was saved. Please try again after the seconds in Retry-After.",
                Some(1_u32),
            ),
            Self::Panicked => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal",
                "Something went wrong on our side. Please try again shortly.",
                None,
            ),
            Self::MalformedHead => {
                (StatusCode::BAD_REQUEST, "invalid_request", "The request is not well-formed HTTP/1.1.", None)
            }
            Self::HeadTooLarge => (
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "invalid_request",
                "The request line or the headers are too large.",
                None,
            ),
        };
        let [random @ .., _, _, _, _, _, _] = platform.random();
        let random: [u8; 10] = random.first_chunk().copied().unwrap_or_default();
        let millis = u64::try_from(platform.now().millis()).unwrap_or(0);
        let request_id = Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
        let body = serde_json::json!({"error": {"code": code, "message": message}}).to_string().into_bytes();
        let mut response = Response::new(body);
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Ok(id) = HeaderValue::from_str(&request_id.to_string()) {
            headers.insert("x-request-id", id);
        }
        if let Some(seconds) = retry_after_seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        let cause = (self == Self::Panicked).then(|| "handling panicked".to_owned());
        Handled { response, request_id, route: "none", account: None, cause }
    }
}
