//! One request: its time, its ids, and the headers that every answer has.

use http::{HeaderName, HeaderValue, Method, header, request::Parts};
use smol_str::format_smolstr;
use uuid::Uuid;

use super::{error::ApiError, handled::Handled, response::Response, viewer::ViewerFile};
use crate::{
    id::IdMint,
    platform::Platform,
    rate_limiter::{RateDecision, WINDOW_SECONDS},
    time::Timestamp,
};

static X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static RATELIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
static RATELIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// A request in progress. Time and random bytes are taken once, at its start.
pub(crate) struct RequestContext<'h> {
    pub(crate) head: &'h Parts,
    pub(crate) now: Timestamp,
    pub(crate) request_id: Uuid,
    pub(crate) mint: IdMint,
    /// The id of the log entry that an operator's command leaves.
    pub(crate) entry_id: Uuid,
    pub(crate) route: &'static str,
    pub(crate) account: Option<Uuid>,
    pub(crate) rate: Option<(u32, RateDecision)>,
    /// The file whose content is the body of the answer, unless there is an error.
    pub(crate) file: Option<&'static ViewerFile>,
    pub(crate) is_operator: bool,
    pub(crate) is_failure_past_limit: bool,
}

impl<'h> RequestContext<'h> {
    pub(crate) fn begin(platform: &impl Platform, head: &'h Parts) -> Self {
        let now = platform.now();
        let random = platform.random();
        let (first, rest) = random.split_first_chunk().unwrap_or((&[0; 10], &[]));
        let (second, rest) = rest.split_first_chunk().unwrap_or((&[0; 10], &[]));
        let third = rest.first_chunk().unwrap_or(&[0; 10]);
        Self {
            head,
            now,
            request_id: IdMint::new(now, *first).id(0),
            mint: IdMint::new(now, *second),
            entry_id: IdMint::new(now, *third).id(0),
            route: "…",
            account: None,
            rate: None,
            file: None,
            is_operator: false,
            is_failure_past_limit: false,
        }
    }

    pub(crate) fn method(&self) -> &Method {
        &self.head.method
    }

    /// The response, and the facts that may be logged.
    pub(crate) fn finish(mut self, outcome: Result<Response, ApiError>) -> Handled {
        let cause = outcome.as_ref().err().and_then(|error| error.cause.clone());
        let response = outcome.unwrap_or_else(Response::from);
        let counts = response.counts;
        let mut body = response.body;
        // The body of every JSON answer is an object (rule H9).
        if body.first() == Some(&b'{') {
            body.push(b'\n');
        }
        let mut http_response = http::Response::new(body);
        *http_response.status_mut() = response.status;
        let headers = http_response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let mut id = Uuid::encode_buffer();
        insert_text(headers, &X_REQUEST_ID, self.request_id.hyphenated().encode_lower(&mut id));
        if let Some((limit, decision)) = self.rate {
            let policy = format_smolstr!("\"default\";q={limit};w={WINDOW_SECONDS}");
            let state = format_smolstr!("\"default\";r={};t={}", decision.remaining, decision.reset_seconds);
            insert_text(headers, &RATELIMIT_POLICY, &policy);
            insert_text(headers, &RATELIMIT, &state);
        }
        for (name, value) in response.headers {
            headers.insert(name, value);
        }
        if self.head.method == Method::HEAD {
            let length = self.file.take().map_or(http_response.body().len(), |file| file.length_bytes);
            http_response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            http_response.body_mut().clear();
        }
        let Self { request_id, route, account, file, is_operator, is_failure_past_limit, .. } = self;
        let response = http_response;
        Handled { response, file, request_id, route, account, is_operator, is_failure_past_limit, counts, cause }
    }
}

fn insert_text(headers: &mut http::HeaderMap, name: &'static HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        headers.insert(name, value);
    }
}
