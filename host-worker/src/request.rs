//! Converts the runtime's request into the core's head and body.

use std::{pin::pin, time::Duration};

use futures_util::future::{Either, select};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request,
    header::CONTENT_LENGTH,
    request::Parts,
    uri::{PathAndQuery, Uri},
};
use js_sys::{Array, JSON, Uint8Array, futures::JsFuture};
use matterbook_core::{
    api::{BodyError, RequestBody},
    json::Scanner,
    normalize::FieldValue,
};
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};
use worker::{
    Delay,
    worker_sys::web_sys::{
        self, ReadableStreamByobReader, ReadableStreamGetReaderOptions, ReadableStreamReadResult,
        ReadableStreamReaderMode,
    },
};

/// How long a body may take (rule W3).
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The most that is allocated for a body before any of it arrives.
const CAPACITY_BYTES_MAX: usize = 256 * 1_024;

/// The most that one read of a body of undeclared length gives. The runtime's own reads give 4 KiB: for a large body so
/// many that in a busy isolate it took longer than it may.
const PART_BYTES: u32 = 64 * 1_024;

/// After so many reads the runtime gets a turn. While bytes are ready it handles neither timers nor other requests, and a
/// caller can send small chunks faster than they are read.
const READS_PER_TURN: usize = 64;

#[wasm_bindgen]
extern "C" {
    type Body;

    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn reader(this: &Body, options: &ReadableStreamGetReaderOptions) -> Result<ReadableStreamByobReader, JsValue>;
}

/// The head of a request; `None` where it is not valid HTTP.
pub(crate) fn head(request: &web_sys::Request) -> Option<Parts> {
    let (mut head, ()) = Request::new(()).into_parts();
    head.method = Method::from_bytes(request.method().as_bytes()).ok()?;
    let url = request.url();
    let (scheme, after_scheme) = url.split_once("://")?;
    #[cfg(feature = "console")]
    head.extensions.insert(matterbook_console::IsEncrypted(scheme == "https"));
    #[cfg(not(feature = "console"))]
    let _ = scheme;
    let target = after_scheme.find('/').and_then(|start| after_scheme.get(start..)).unwrap_or("/");
    head.uri = PathAndQuery::try_from(target).ok().map(Uri::from)?;
    // One call into JavaScript for all headers, instead of several for each.
    let pairs = String::from(JSON::stringify(&Array::from(&request.headers())).ok()?);
    let mut texts = Vec::new();
    Scanner::new(&pairs)
        .array(|pair| {
            pair.array(|text| {
                texts.push(text.value()?);
                Ok(())
            })
        })
        .ok()?;
    for pair in texts.chunks(2) {
        let [FieldValue::Text(name), FieldValue::Text(value)] = pair else { return None };
        let value = header_value(value)?;
        // The only names that do not convert are too long. No rule reads them.
        if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
            head.headers.try_append(name, value).ok()?;
        }
    }
    Some(head)
}

/// A header's value. The runtime gives it as a text with one character for each byte.
fn header_value(text: &str) -> Option<HeaderValue> {
    let bytes: Option<Vec<u8>> = text.chars().map(|character| u8::try_from(character).ok()).collect();
    HeaderValue::from_bytes(&bytes?).ok()
}

/// A body that is read on demand.
pub(crate) struct WorkerBody {
    request: web_sys::Request,
    declared_bytes: Option<u64>,
}

impl WorkerBody {
    pub(crate) fn new(headers: &HeaderMap, request: web_sys::Request) -> Self {
        let declared_bytes = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Self { request, declared_bytes }
    }

    async fn collect(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        // The runtime enforces the declared length, so the body can be read in one piece.
        if self.declared_bytes.is_some() {
            let buffer = JsFuture::from(self.request.array_buffer().map_err(|_| BodyError::Broken)?);
            return Ok(Uint8Array::new(&buffer.await.map_err(|_| BodyError::Broken)?).to_vec());
        }
        let Some(stream) = self.request.body() else { return Ok(Vec::new()) };
        let options = ReadableStreamGetReaderOptions::new();
        options.set_mode(ReadableStreamReaderMode::Byob);
        let reader = JsValue::from(stream).unchecked_into::<Body>().reader(&options).map_err(|_| BodyError::Broken)?;
        let mut body = Vec::with_capacity(CAPACITY_BYTES_MAX.min(limit_bytes));
        let mut buffer = Uint8Array::new_with_length(PART_BYTES);
        for reads in 1_usize.. {
            let read = JsFuture::from(reader.read_with_array_buffer_view(&buffer));
            let read: ReadableStreamReadResult = read.await.map_err(|_| BodyError::Broken)?.unchecked_into();
            let part: Uint8Array = read.get_value().dyn_into().map_err(|_| BodyError::Broken)?;
            if body.len() + part.byte_length() as usize > limit_bytes {
                return Err(BodyError::TooLarge);
            }
            body.extend_from_slice(&part.to_vec());
            if read.get_done() == Some(true) {
                break;
            }
            buffer = Uint8Array::new(&part.buffer());
            if reads.is_multiple_of(READS_PER_TURN) {
                Delay::from(Duration::ZERO).await;
            }
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
