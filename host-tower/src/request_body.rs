//! The body of a request: counted while it is read, and within its time (rules H12 and W3).

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
};

use bytes::{Buf as _, BufMut as _};
use http::{HeaderMap, header::EXPECT};
use http_body::Body;
use matterbook_core::api::{BodyError, RequestBody};

/// So much of a body past its limit is read and dropped, so that a caller that is still sending gets the answer.
const DRAIN_BYTES_MAX: usize = 32 * 1_024 * 1_024;

/// Begins the time for a body, and ends when it is over.
pub(crate) type Timeout = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A body that is read when the rules ask for it.
pub(crate) struct HttpBody<B> {
    body: B,
    timeout: Timeout,
    /// The caller sends the body only once it is read.
    waits_for_continue: bool,
}

impl<B: Body> HttpBody<B> {
    pub(crate) fn new(headers: &HeaderMap, body: B, timeout: Timeout) -> Self {
        Self { body, timeout, waits_for_continue: headers.contains_key(EXPECT) }
    }
}

impl<B: Body> RequestBody for HttpBody<B> {
    async fn read(self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        let declared = usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX);
        if self.body.is_end_stream() {
            return Ok(Vec::new());
        }
        if declared > limit_bytes && self.waits_for_continue {
            return Err(BodyError::TooLarge);
        }
        let mut is_too_large = declared > limit_bytes;
        // Memory is reserved for what comes, not for what is declared.
        let mut collected = Vec::new();
        let mut length: usize = 0;
        let mut body = pin!(self.body);
        let mut timeout = (self.timeout)();
        loop {
            let next = poll_fn(|context| match body.as_mut().poll_frame(context) {
                Poll::Ready(frame) => Poll::Ready(Some(frame)),
                Poll::Pending => timeout.as_mut().poll(context).map(|()| None),
            });
            let frame = match next.await {
                Some(Some(Ok(frame))) => frame,
                _ if is_too_large => return Err(BodyError::TooLarge),
                Some(Some(Err(_))) => return Err(BodyError::Broken),
                Some(None) => return Ok(collected),
                None => return Err(BodyError::TooSlow),
            };
            // Trailers say nothing to the rules.
            let Ok(data) = frame.into_data() else { continue };
            length = length.saturating_add(data.remaining());
            is_too_large |= length > limit_bytes;
            if !is_too_large {
                collected.put(data);
            } else if length > limit_bytes.saturating_add(DRAIN_BYTES_MAX) {
                return Err(BodyError::TooLarge);
            } else {
                collected = Vec::new();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::VecDeque,
        sync::atomic::{AtomicUsize, Ordering},
        task::{Context, Waker},
    };

    use bytes::Bytes;
    use http::HeaderValue;
    use http_body::{Frame, SizeHint};

    use super::*;

    /// A body of frames; where they end, it stalls, breaks off or ends.
    struct Frames {
        frames: VecDeque<Bytes>,
        declared: u64,
        end: End,
        polls: Arc<AtomicUsize>,
    }

    #[derive(Clone, Copy)]
    enum End {
        Whole,
        Broken,
        Stalled,
    }

    impl Body for Frames {
        type Data = Bytes;
        type Error = &'static str;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
            self.polls.fetch_add(1, Ordering::Relaxed);
            match (self.frames.pop_front(), self.end) {
                (Some(bytes), _) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
                (None, End::Whole) => Poll::Ready(None),
                (None, End::Broken) => Poll::Ready(Some(Err("the connection ended"))),
                (None, End::Stalled) => Poll::Pending,
            }
        }

        fn size_hint(&self) -> SizeHint {
            let mut hint = SizeHint::new();
            hint.set_lower(self.declared);
            hint
        }
    }

    /// Reads frames of these lengths with a limit of ten bytes; also how often the body was polled.
    fn read(lengths: &[usize], declared: u64, end: End, expects: bool) -> (Result<usize, BodyError>, usize) {
        let polls = Arc::new(AtomicUsize::new(0));
        let frames = lengths.iter().map(|length| Bytes::from(vec![b'a'; *length])).collect();
        let mut headers = HeaderMap::new();
        if expects {
            headers.insert(EXPECT, HeaderValue::from_static("100-continue"));
        }
        let body = Frames { frames, declared, end, polls: Arc::clone(&polls) };
        let body = HttpBody::new(&headers, body, Arc::new(|| Box::pin(std::future::ready(()))));
        let read = match pin!(body.read(10)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(read) => read.map(|body| body.len()),
            Poll::Pending => panic!("nothing wakes this body"),
        };
        (read, polls.load(Ordering::Relaxed))
    }

    #[test]
    fn a_body_up_to_the_limit_is_read_whole() {
        assert_eq!(read(&[4, 6], 0, End::Whole, false).0, Ok(10));
        assert_eq!(read(&[10], 10, End::Whole, true).0, Ok(10));
        assert_eq!(read(&[], 0, End::Whole, false).0, Ok(0));
    }

    #[test]
    fn a_body_past_the_limit_is_too_large_after_its_rest_was_read() {
        assert_eq!(read(&[4, 7, 500], 0, End::Whole, false), (Err(BodyError::TooLarge), 4));
        assert_eq!(read(&[4, 7], 11, End::Whole, false), (Err(BodyError::TooLarge), 3));
        let rest = DRAIN_BYTES_MAX / 2;
        assert_eq!(read(&[rest, rest, rest, rest], 0, End::Whole, false), (Err(BodyError::TooLarge), 3));
    }

    #[test]
    fn a_body_that_is_declared_too_large_is_not_asked_for() {
        assert_eq!(read(&[4, 7], 11, End::Whole, true), (Err(BodyError::TooLarge), 0));
    }

    #[test]
    fn a_body_that_stalls_is_too_slow() {
        assert_eq!(read(&[4], 9, End::Stalled, false).0, Err(BodyError::TooSlow));
        assert_eq!(read(&[4, 7], 0, End::Stalled, false).0, Err(BodyError::TooLarge));
    }

    #[test]
    fn a_body_that_breaks_off_is_broken() {
        assert_eq!(read(&[4], 9, End::Broken, false).0, Err(BodyError::Broken));
    }
}
