//! From warp's view of a request to the rules' and back. Every request fits: no path is matched,
//! no header is required and no status is chosen here, so warp has nothing to reject.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
    time::{Duration, Instant},
};

use http::{HeaderMap, Method, Request, Response, Uri, request::Parts, uri::PathAndQuery};
use matterbook_core::api::{Handled, HostRefusal};
use warp::{Filter, filters::path::FullPath};

use super::{body::HttpBody, body_room::HeldRoom, log::log_request};
use crate::platform::SystemPlatform;

/// A filter that gives every request to `handle` and answers with what it hands back.
pub(super) fn filter<H, F>(
    handle: H,
    room: HeldRoom,
    body_timeout: Duration,
) -> impl Filter<Extract = (Response<Vec<u8>>,), Error = warp::Rejection> + Clone
where
    H: Fn(Parts, HttpBody) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Handled> + Send,
{
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .then(move |method: Method, path: FullPath, query: String, headers: HeaderMap, chunks| {
            let handle = handle.clone();
            let (body, room) = HttpBody::new(&headers, chunks, &room, body_timeout);
            async move {
                let began = Instant::now();
                let head = head(method.clone(), path.as_str(), &query, headers);
                let handled = caught(handle(head, body)).await;
                // What was read out of the body is gone with the handling.
                drop(room);
                log_request(Some(&method), &handled, began.elapsed());
                handled.response
            }
        })
}

fn head(method: Method, path: &str, query: &str, headers: HeaderMap) -> Parts {
    let target = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    let (mut head, ()) = Request::new(()).into_parts();
    head.method = method;
    // They were parts of a URI a moment ago; what is not a path, as in `CONNECT`, becomes `/`.
    head.uri = PathAndQuery::try_from(target).map_or_else(|_| Uri::default(), Uri::from);
    head.headers = headers;
    head
}

/// The future's answer, or that of a panic.
async fn caught(handling: impl Future<Output = Handled>) -> Handled {
    let mut handling = pin!(handling);
    std::future::poll_fn(|context| {
        // After a panic the future is never polled again, so nobody sees a half-done state.
        catch_unwind(AssertUnwindSafe(|| handling.as_mut().poll(context)))
            .unwrap_or_else(|_| Poll::Ready(HostRefusal::Panicked.answer(&SystemPlatform::default())))
    })
    .await
}
