//! From the runtime's request to the rules' head and body.

use std::{pin::pin, time::Duration};

use futures_util::{
    StreamExt as _,
    future::{Either, select},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request,
    header::CONTENT_LENGTH,
    request::Parts,
    uri::{PathAndQuery, Uri},
};
use matterbook_core::{
    api::{BodyError, HEADERS_READ, RequestBody},
    json,
    normalize::FieldValue,
};
use worker::{
    Delay,
    js_sys::{Array, JSON, Uint8Array, futures::JsFuture},
    worker_sys::web_sys,
};

static DECLARED_LENGTH: HeaderName = CONTENT_LENGTH;

/// From the first look at a body to its end, as on the native host. Past it the answer is 408.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The most that is set aside for a body before any of it has come.
const FIRST_BYTES: usize = 256 * 1_024;

/// How many chunks of a body are read at a stretch. The runtime has no look at its clock and its other requests
/// while chunks are there already, and a caller can send small ones faster than they are read.
const CHUNKS_AT_A_STRETCH_MAX: usize = 64;

/// The head of a request; `None` when the runtime let something through that is not HTTP.
pub(crate) fn head(request: &web_sys::Request) -> Option<Parts> {
    let (mut head, ()) = Request::new(()).into_parts();
    head.method = Method::from_bytes(request.method().as_bytes()).ok()?;
    let url = request.url();
    let (_, after_scheme) = url.split_once("://")?;
    let target = after_scheme.find('/').and_then(|start| after_scheme.get(start..)).unwrap_or("/");
    head.uri = PathAndQuery::try_from(target).ok().map(Uri::from)?;
    // One crossing into JavaScript for all headers, instead of several for each.
    let pairs = String::from(JSON::stringify(&Array::from(&request.headers())).ok()?);
    let text = |value| if let FieldValue::Text(text) = value { Some(text) } else { None };
    for pair in json::rows(&pairs, text)? {
        let [name, value] = <[_; 2]>::try_from(pair).ok()?;
        let value = header_value(&value)?;
        // The runtime writes names in lower case.
        if let Some(name) = names().find(|read| read.as_str() == name) {
            head.headers.append(name, value);
        }
    }
    Some(head)
}

/// The names of the headers that are read here or by the rules.
fn names() -> impl Iterator<Item = &'static HeaderName> {
    let names = HEADERS_READ.into_iter().chain([&DECLARED_LENGTH]);
    #[cfg(feature = "test-hooks")]
    let names = names.chain(crate::hooks::HEADERS_READ);
    names
}

/// A header's value: the runtime hands it over as a text of bytes.
fn header_value(text: &str) -> Option<HeaderValue> {
    let bytes: Option<Vec<u8>> = text.chars().map(|character| u8::try_from(character).ok()).collect();
    HeaderValue::from_bytes(&bytes?).ok()
}

/// A body that is read when the rules ask for it.
pub(crate) struct WorkerBody {
    request: web_sys::Request,
    declared_bytes: Option<u64>,
}

impl WorkerBody {
    pub(crate) fn new(headers: &HeaderMap, request: web_sys::Request) -> Self {
        let declared_bytes = headers.get(&DECLARED_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Self { request, declared_bytes }
    }

    async fn collect(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        // A body is never longer than it declared, so it is had in one piece.
        if self.declared_bytes.is_some() {
            let buffer = JsFuture::from(self.request.array_buffer().map_err(|_| BodyError::Broken)?);
            return Ok(Uint8Array::new(&buffer.await.map_err(|_| BodyError::Broken)?).to_vec());
        }
        if self.request.body().is_none() {
            return Ok(Vec::new());
        }
        let mut chunks = worker::Request::from(self.request).stream().map_err(|_| BodyError::Broken)?;
        let mut body = Vec::with_capacity(FIRST_BYTES.min(limit_bytes));
        let mut chunks_read: usize = 0;
        while let Some(chunk) = chunks.next().await {
            chunks_read += 1;
            if chunks_read.is_multiple_of(CHUNKS_AT_A_STRETCH_MAX) {
                Delay::from(Duration::ZERO).await;
            }
            let chunk = chunk.map_err(|_| BodyError::Broken)?;
            if body.len() + chunk.len() > limit_bytes {
                return Err(BodyError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

impl RequestBody for WorkerBody {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let limit = u64::try_from(limit_bytes).unwrap_or(u64::MAX);
        if self.declared_bytes.is_some_and(|declared| declared > limit) {
            return Err(BodyError::TooLarge);
        }
        match select(pin!(self.collect(limit_bytes)), Delay::from(BODY_TIMEOUT)).await {
            Either::Left((body, _)) => body,
            Either::Right(((), _)) => Err(BodyError::TooSlow),
        }
    }
}
