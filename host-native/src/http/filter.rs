//! From warp's view of a request to the rules' and back. The filters take a request apart and reject none:
//! the rules match the path and choose the status.

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
    time::Instant,
};

use bytes::{Buf, Bytes};
use futures_util::{FutureExt as _, Stream};
use http::{HeaderValue, Request, Response, Uri, header::CONNECTION, request::Parts};
use matterbook_core::api::{Handled, HostRefusal};
use parking_lot::Mutex;
use warp::{Filter, Rejection};

use super::{
    Shared,
    body::HttpBody,
    connection_limiter::{Activity, Connection},
    log::log_request,
};
use crate::platform::SystemPlatform;

/// A filter that gives every request of a connection to the rules and answers with what they return.
pub(super) fn filter<H, F>(
    shared: Arc<Shared<H>>,
    connection: Arc<Connection>,
    heads: Arc<Heads>,
) -> impl Filter<Extract = (Response<Bytes>,), Error = Infallible> + Clone
where
    H: Fn(Parts, HttpBody) -> F + Send + Sync + 'static,
    F: Future<Output = Handled> + Send,
{
    warp::body::stream()
        .then(move |chunks| {
            let (shared, connection) = (Arc::clone(&shared), Arc::clone(&connection));
            let head = heads.take();
            async move { answer(&shared, &connection, head, chunks).await }
        })
        .recover(|_: Rejection| {
            let handled = HostRefusal::Panicked.answer(&SystemPlatform::default());
            std::future::ready(Ok::<_, Infallible>(handled.response.map(Bytes::from)))
        })
        .unify()
}

/// The head of the request that is about to be handled. Requests of a connection are handled one after the
/// other.
#[derive(Default)]
pub(super) struct Heads(Mutex<Option<Parts>>);

impl Heads {
    /// Keeps the head for the filter, and returns what warp gets.
    pub(super) fn without_head<B>(&self, request: Request<B>) -> Request<B> {
        let (mut head, body) = request.into_parts();
        // The rules speak of paths; a request may also name the host that it thinks it speaks to.
        if head.uri.authority().is_some() {
            head.uri = head.uri.path_and_query().cloned().map_or_else(Uri::default, Uri::from);
        }
        *self.0.lock() = Some(head);
        Request::new(body)
    }

    fn take(&self) -> Parts {
        self.0.lock().take().unwrap_or_else(|| Request::new(()).into_parts().0)
    }
}

async fn answer<H, F>(
    shared: &Shared<H>,
    connection: &Connection,
    head: Parts,
    chunks: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static,
) -> Response<Bytes>
where
    H: Fn(Parts, HttpBody) -> F,
    F: Future<Output = Handled>,
{
    *connection.activity.lock() = Activity::Handling;
    let began = Instant::now();
    let method = head.method.clone();
    let body = HttpBody::new(&head.headers, chunks, &shared.budget, shared.limits.body_timeout);
    let progress = body.progress();
    // A future that panicked is not polled again, so no code sees its state.
    let handling = AssertUnwindSafe(async { (shared.handle)(head, body).await }).catch_unwind();
    let handled = handling.await.unwrap_or_else(|_| HostRefusal::Panicked.answer(&SystemPlatform::default()));
    log_request(&shared.metrics, Some(&method), &handled, began.elapsed());
    let Handled { response, file, .. } = handled;
    // The bytes of a file are in the program; they are not copied.
    let file = file.and_then(|file| file.bytes).map(Bytes::from_static);
    let mut response = response.map(|body| file.unwrap_or_else(|| Bytes::from(body)));
    if !progress.is_read() {
        // The rest of the body cannot be told from the next request, so the connection ends here.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        connection.has_unread_body.store(true, Ordering::Relaxed);
    }
    *connection.activity.lock() = Activity::IdleSince(Instant::now());
    response
}
