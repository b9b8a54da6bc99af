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

use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, header::CONTENT_LENGTH};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use matterbook_core::api::{BodyError, RequestBody};

/// The most that is set aside for a body before any of it has come.
const FIRST_BYTES: usize = 256 * 1_024;

/// A body that is read when the rules ask for it.
///
/// Where a body is too large, the rest is left to the connection, which reads it away after the
/// answer is sent: so a caller that is still sending gets the answer sooner.
pub struct HttpBody {
    chunks: Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send>>,
    declared_bytes: Option<u64>,
    timeout: Duration,
}

impl HttpBody {
    pub(super) fn new(
        headers: &HeaderMap,
        chunks: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static,
        timeout: Duration,
    ) -> Self {
        let declared_bytes = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        let chunks = chunks.map(|chunk| chunk.map(|mut chunk| chunk.copy_to_bytes(chunk.remaining())));
        Self { chunks: Box::pin(chunks), declared_bytes, timeout }
    }

    async fn collect(mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let declared = self.declared_bytes.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0);
        let mut body = Vec::with_capacity(declared.min(FIRST_BYTES));
        while let Some(chunk) = self.chunks.next().await {
            let chunk = chunk.map_err(|_| BodyError::Broken)?;
            if body.len() + chunk.len() > limit_bytes {
                return Err(BodyError::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
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

/// A body that remembers whether it was read to its end.
pub(super) struct Watched {
    body: Incoming,
    is_read: Arc<AtomicBool>,
}

impl Watched {
    /// The body; `is_read` says from now on whether it was read to its end.
    pub(super) fn new(body: Incoming, is_read: Arc<AtomicBool>) -> Self {
        is_read.store(body.is_end_stream(), Ordering::Relaxed);
        Self { body, is_read }
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.is_read.store(true, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
