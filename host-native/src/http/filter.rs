//! From warp's view of a request to the rules' and back. Every request fits: no path is matched,
//! no header is required and no status is chosen here, so warp has nothing to reject.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{Request, Response, Uri, request::Parts};
use matterbook_core::api::{Handled, HostRefusal};
use warp::Filter;

use super::{body::HttpBody, body_room::HeldRoom, log::log_request};
use crate::{metrics::RequestMetrics, platform::SystemPlatform};

/// What the requests of one connection have in common. It is the connection's own, so that its count is
/// in no other processor's way.
pub(super) struct Requests<H> {
    handle: H,
    room: HeldRoom,
    body_timeout: Duration,
    metrics: Arc<RequestMetrics>,
    /// The head of the request that is about to be handled. Requests of a connection are handled one after
    /// the other.
    head: Mutex<Option<Parts>>,
}

impl<H> Requests<H> {
    pub(super) fn new(handle: H, room: HeldRoom, body_timeout: Duration, metrics: Arc<RequestMetrics>) -> Arc<Self> {
        Arc::new(Self { handle, room, body_timeout, metrics, head: Mutex::default() })
    }

    /// Puts the head aside for the filter, and hands back what warp gets. The rules want the head as it
    /// came; warp would hand each part of it out as a copy.
    pub(super) fn without_head<B>(&self, request: Request<B>) -> Request<B> {
        let (mut head, body) = request.into_parts();
        // The rules speak of paths; a request may also name the host that it thinks it speaks to.
        if head.uri.authority().is_some() {
            head.uri = head.uri.path_and_query().cloned().map_or_else(Uri::default, Uri::from);
        }
        *self.head.lock().unwrap_or_else(PoisonError::into_inner) = Some(head);
        Request::new(body)
    }

    fn head(&self) -> Parts {
        let head = self.head.lock().unwrap_or_else(PoisonError::into_inner).take();
        // It is always there: each request leaves its own before it is handled.
        head.unwrap_or_else(|| Request::new(()).into_parts().0)
    }
}

/// A filter that gives every request to the rules and answers with what they hand back.
pub(super) fn filter<H, F>(
    requests: Arc<Requests<H>>,
) -> impl Filter<Extract = (Response<Bytes>,), Error = warp::Rejection> + Clone
where
    H: Fn(Parts, HttpBody) -> F + Send + Sync + 'static,
    F: Future<Output = Handled> + Send,
{
    warp::body::stream().then(move |chunks| {
        let requests = Arc::clone(&requests);
        async move {
            let began = Instant::now();
            let head = requests.head();
            let method = head.method.clone();
            let (body, room) = HttpBody::new(&head.headers, chunks, &requests.room, requests.body_timeout);
            // Kept in one place: what is handed on by value is kept twice, and every move of a request
            // copies it.
            let mut handling = pin!((requests.handle)(head, body));
            let handled = poll_fn(|context| poll_caught(handling.as_mut(), context)).await;
            // What was read out of the body is gone with the handling.
            drop(room);
            log_request(&requests.metrics, Some(&method), &handled, began.elapsed());
            let Handled { response, file, .. } = handled;
            // A file is sent as it lies in the program.
            let file = file.and_then(|file| file.bytes).map(Bytes::from_static);
            response.map(|body| file.unwrap_or_else(|| Bytes::from(body)))
        }
    })
}

/// The future's answer, or that of a panic.
fn poll_caught(handling: Pin<&mut impl Future<Output = Handled>>, context: &mut Context<'_>) -> Poll<Handled> {
    // After a panic the future is never polled again, so nobody sees a half-done state.
    catch_unwind(AssertUnwindSafe(|| handling.poll(context)))
        .unwrap_or_else(|_| Poll::Ready(HostRefusal::Panicked.answer(&SystemPlatform::default())))
}
