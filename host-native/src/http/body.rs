//! The body of a request as it comes in: counted while it is read, within its time and where there is
//! room for it (design section 3).

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt};
use http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, CONTENT_LENGTH, TRANSFER_ENCODING},
};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use matterbook_core::api::{BodyError, RequestBody};

use super::body_room::{Held, HeldRoom, NoRoom, SMALL_BYTES};

/// A body that is read when the rules ask for it.
///
/// Where a body is too large, the rest is left to the connection, which reads it away after the
/// answer is sent: so a caller that is still sending gets the answer sooner.
pub struct HttpBody {
    chunks: Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send>>,
    declared_bytes: Option<u64>,
    /// Nothing where the head announces no body.
    claim: Option<Claim>,
    timeout: Duration,
}

/// The right of a request to ask for room.
struct Claim {
    room: HeldRoom,
    caller: Option<HeaderValue>,
    held: SharedHeld,
}

/// What a request holds, kept by who handles it and filled in by who reads the body.
type SharedHeld = Arc<Mutex<Held>>;

impl HttpBody {
    /// The body, and what is to be dropped once the request is answered.
    pub(super) fn new(
        headers: &HeaderMap,
        chunks: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static,
        room: &HeldRoom,
        timeout: Duration,
    ) -> (Self, Option<SharedHeld>) {
        let declared_bytes = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        let chunks = chunks.map(|chunk| chunk.map(|mut chunk| chunk.copy_to_bytes(chunk.remaining())));
        let has_body = declared_bytes.is_some_and(|bytes| bytes > 0) || headers.contains_key(TRANSFER_ENCODING);
        let held = has_body.then(SharedHeld::default);
        let claim = held.as_ref().map(|held| Claim {
            room: room.clone(),
            caller: headers.get(AUTHORIZATION).cloned(),
            held: Arc::clone(held),
        });
        (Self { chunks: Box::pin(chunks), declared_bytes, claim, timeout }, held)
    }

    async fn collect(mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let mut body = Vec::with_capacity(self.room_bytes().min(limit_bytes));
        while let Some(chunk) = self.chunks.next().await {
            let chunk = chunk.map_err(|_| BodyError::Broken)?;
            let length = body.len() + chunk.len();
            if length > limit_bytes {
                return Err(BodyError::TooLarge);
            }
            if length > self.room_bytes() {
                // Its length was not told, and it is not a small one.
                if let Some(claim) = &self.claim {
                    claim.take_room(limit_bytes).await?;
                }
                body.reserve_exact(limit_bytes - body.len());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn room_bytes(&self) -> usize {
        let held = |claim: &Claim| claim.held.lock().unwrap_or_else(PoisonError::into_inner).bytes();
        self.claim.as_ref().map_or(0, held)
    }
}

impl Claim {
    /// Takes room for so many bytes in place of what it has.
    async fn take_room(&self, bytes: usize) -> Result<(), BodyError> {
        let taken = self.room.take(bytes, self.caller.as_ref()).await.map_err(|NoRoom| BodyError::NoRoom)?;
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = taken;
        Ok(())
    }
}

impl RequestBody for HttpBody {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let limit = u64::try_from(limit_bytes).unwrap_or(u64::MAX);
        if self.declared_bytes.is_some_and(|declared| declared > limit) {
            return Err(BodyError::TooLarge);
        }
        let declared = self.declared_bytes.map(|bytes| usize::try_from(bytes).unwrap_or(limit_bytes));
        if let Some(claim) = &self.claim {
            claim.take_room(declared.unwrap_or(SMALL_BYTES)).await?;
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
