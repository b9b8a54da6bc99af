//! The body of a request as it comes in: counted while it is read, within its time (design
//! section 3).

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, header::CONTENT_LENGTH};
use hyper::body::{Body as _, Incoming};
use matterbook_core::api::{BodyError, RequestBody};

/// The most that is set aside for a body before any of it has come.
const FIRST_BYTES: usize = 256 * 1_024;

/// A body that is read when the rules ask for it.
///
/// Where a body is too large, the rest is left to the connection, which reads it away after the
/// answer is sent: so a caller that is still sending gets the answer sooner.
pub struct HttpBody {
    body: Incoming,
    progress: Progress,
    declared_bytes: Option<u64>,
    timeout: Duration,
}

/// Whether a body was read to its end by now. There is nothing to read where there is no body.
#[derive(Clone)]
pub(super) struct Progress(Option<Arc<AtomicBool>>);

impl Progress {
    pub(super) fn is_at_end(&self) -> bool {
        self.0.as_ref().is_none_or(|is_at_end| is_at_end.load(Ordering::Relaxed))
    }
}

impl HttpBody {
    /// The body that comes with these headers, and how its reading goes.
    pub(super) fn new(headers: &HeaderMap, body: Incoming, timeout: Duration) -> (Self, Progress) {
        let declared_bytes = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        let progress = Progress((!body.is_end_stream()).then(Arc::default));
        (Self { body, progress: progress.clone(), declared_bytes, timeout }, progress)
    }

    async fn collect(mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let declared = self.declared_bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0);
        let mut body = Vec::with_capacity(declared.min(FIRST_BYTES));
        while let Some(chunk) = std::future::poll_fn(|context| self.poll_chunk(context)).await {
            let chunk = chunk.map_err(|_| BodyError::Broken)?;
            if body.len() + chunk.len() > limit_bytes {
                return Err(BodyError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// The next bytes; what follows them, trailers, is of no interest.
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, hyper::Error>>> {
        loop {
            let frame = std::task::ready!(Pin::new(&mut self.body).poll_frame(context));
            if let Some(is_at_end) = &self.progress.0
                && (frame.is_none() || self.body.is_end_stream())
            {
                is_at_end.store(true, Ordering::Relaxed);
            }
            match frame.map(|frame| frame.map(|frame| frame.into_data())) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                Some(Ok(Ok(chunk))) => return Poll::Ready(Some(Ok(chunk))),
                Some(Ok(Err(_trailers))) => {}
            }
        }
    }
}

impl RequestBody for HttpBody {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let limit = u64::try_from(limit_bytes).unwrap_or(u64::MAX);
        if self.declared_bytes.is_some_and(|declared| declared > limit) {
            return Err(BodyError::TooLarge);
        }
        let timeout = self.timeout;
        tokio::time::timeout(timeout, self.collect(limit_bytes)).await.unwrap_or(Err(BodyError::TooSlow))
    }
}
