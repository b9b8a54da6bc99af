//! From hyper's view of a request to the rules' and back. Every request fits: no path is matched,
//! no header is required and no status is chosen here.

use std::{
    convert::Infallible,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::atomic::{AtomicBool, Ordering},
    task::Poll,
    time::{Duration, Instant},
};

use http::{HeaderValue, Request, Response, Uri, header::CONNECTION, request::Parts, uri::PathAndQuery};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use matterbook_core::api::{Handled, HostRefusal};

use super::{body::HttpBody, log::log_request};
use crate::platform::SystemPlatform;

/// Gives a request to `handle` and answers with what it hands back. Once all of the request is read,
/// `is_settled` is set; otherwise the connection ends with the answer.
pub(super) async fn answer<H, F>(
    request: Request<Incoming>,
    handle: &H,
    body_timeout: Duration,
    is_settled: &AtomicBool,
) -> Result<Response<Full<Bytes>>, Infallible>
where
    H: Fn(Parts, HttpBody) -> F,
    F: Future<Output = Handled>,
{
    let began = Instant::now();
    let (mut head, body) = request.into_parts();
    head.uri = origin_form(head.uri);
    let method = head.method.clone();
    let (body, progress) = HttpBody::new(&head.headers, body, body_timeout);
    let handled = caught(pin!(handle(head, body))).await;
    log_request(Some(&method), &handled, began.elapsed());
    let mut response = handled.response.map(|body| Full::new(Bytes::from(body)));
    if progress.is_at_end() {
        is_settled.store(true, Ordering::Relaxed);
    } else {
        // What is left of an unread body is not told from the next request.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}

/// The path and the query, whoever the request was addressed to. What has no path, as in `CONNECT`,
/// becomes `/`.
fn origin_form(target: Uri) -> Uri {
    let is_plain = target.authority().is_none() && target.query() != Some("");
    if is_plain {
        return target;
    }
    let path_and_query = match target.query() {
        Some("") => PathAndQuery::try_from(target.path()).ok(),
        _ => target.into_parts().path_and_query,
    };
    path_and_query.map_or_else(Uri::default, Uri::from)
}

/// The future's answer, or that of a panic.
async fn caught(mut handling: Pin<&mut impl Future<Output = Handled>>) -> Handled {
    std::future::poll_fn(|context| {
        // After a panic the future is never polled again, so nobody sees a half-done state.
        catch_unwind(AssertUnwindSafe(|| handling.as_mut().poll(context)))
            .unwrap_or_else(|_| Poll::Ready(HostRefusal::Panicked.answer(&SystemPlatform::default())))
    })
    .await
}
