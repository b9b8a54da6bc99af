//! The body of an answer, which is whole.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// The body of an answer: one frame of bytes, or none.
#[derive(Clone, Debug, Default)]
pub struct ResponseBody(Option<Bytes>);

impl ResponseBody {
    pub(crate) fn new(bytes: impl Into<Bytes>) -> Self {
        Self(Some(bytes.into()).filter(|bytes| !bytes.is_empty()))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len).try_into().unwrap_or(u64::MAX))
    }
}
