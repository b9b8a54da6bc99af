//! The body of a request: counted while it is read, within its time and the budget.

use std::{
    pin::Pin,
    sync::{Arc, atomic::Ordering},
};

use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt};
use http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, CONTENT_LENGTH, TRANSFER_ENCODING},
};
use matterbook_core::api::{BodyError, RequestBody};

use super::{Shared, body_budget::SMALL_BYTES, connection_limiter::Connection};

/// A body that is read when the rules ask for it.
///
/// Where a body is too large, the connection drains the rest after the answer is sent. So a caller that is
/// still sending gets the answer sooner.
pub struct HttpBody {
    chunks: Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send>>,
    declared_bytes: Option<usize>,
    key: Option<HeaderValue>,
    shared: Arc<Shared>,
    connection: Arc<Connection>,
}

impl HttpBody {
    pub(super) fn new(
        headers: &HeaderMap,
        chunks: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static,
        shared: Arc<Shared>,
        connection: Arc<Connection>,
    ) -> Self {
        let declared = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        let is_empty = declared.unwrap_or_default() == 0 && !headers.contains_key(TRANSFER_ENCODING);
        connection.has_unread_body.store(!is_empty, Ordering::Relaxed);
        Self {
            chunks: Box::pin(chunks.map(|chunk| chunk.map(|mut chunk| chunk.copy_to_bytes(chunk.remaining())))),
            declared_bytes: declared.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX)),
            key: headers.get(AUTHORIZATION).cloned(),
            shared,
            connection,
        }
    }

    /// Reserves memory in place of what is reserved.
    async fn reserve(&mut self, bytes: usize) -> Result<(), BodyError> {
        let reservation = self.shared.budget.reserve(bytes, self.key.as_ref()).await?;
        *self.connection.reservation.lock() = Some(reservation);
        Ok(())
    }

    async fn collect(mut self, mut reserved_bytes: usize, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let mut body = Vec::with_capacity(reserved_bytes.min(limit_bytes));
        while let Some(chunk) = self.chunks.next().await {
            let chunk = chunk.map_err(|_| BodyError::Broken)?;
            let length = body.len() + chunk.len();
            if length > limit_bytes {
                return Err(BodyError::TooLarge);
            }
            if length > reserved_bytes {
                // A chunked body that is not small. Reserving chunk by chunk would let many of them fill the
                // budget and wait for each other.
                self.reserve(limit_bytes).await?;
                reserved_bytes = limit_bytes;
                body.reserve_exact(limit_bytes - body.len());
            }
            body.extend_from_slice(&chunk);
        }
        self.connection.has_unread_body.store(false, Ordering::Relaxed);
        Ok(body)
    }
}

impl RequestBody for HttpBody {
    async fn read(mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        if !self.connection.has_unread_body.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        if self.declared_bytes.is_some_and(|declared| declared > limit_bytes) {
            return Err(BodyError::TooLarge);
        }
        let reserved_bytes = self.declared_bytes.unwrap_or(SMALL_BYTES);
        self.reserve(reserved_bytes).await?;
        let timeout = self.shared.limits.body_timeout;
        let reading = self.collect(reserved_bytes, limit_bytes);
        tokio::time::timeout(timeout, reading).await.unwrap_or(Err(BodyError::TooSlow))
    }
}
