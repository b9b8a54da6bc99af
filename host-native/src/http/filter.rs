//! From warp's view of a request to the rules' and back. The filters take a request apart and reject none:
//! the rules match the path and choose the status. A rejection would be a defect, answered as a panic (rule H30).

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use bytes::{Buf, Bytes};
use futures_util::{FutureExt as _, Stream};
use http::{
    HeaderMap, HeaderValue, Method, Request, Response, Uri, header::CONNECTION, request::Parts, uri::PathAndQuery,
};
use matterbook_core::api::{CallerAddress, Handled, HostRefusal};
use uuid::Uuid;
use warp::{Filter, Rejection, path::FullPath};

use super::{Shared, body::HttpBody, connection_limiter::Connection, log::log_request};
use crate::platform::SystemPlatform;

/// A filter that gives every request of a connection to the rules and answers with what they return.
pub(super) fn filter(
    shared: Arc<Shared>,
    connection: Arc<Connection>,
) -> impl Filter<Extract = (Response<Bytes>,), Error = Infallible> + Clone {
    let query = warp::query::raw().map(Some).or(warp::any().map(|| None)).unify();
    let refusing = Arc::clone(&shared);
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and_then(head)
        .and(warp::body::stream())
        .then(move |head, chunks| answer(Arc::clone(&shared), Arc::clone(&connection), head, chunks))
        .recover(move |_: Rejection| {
            let handled = HostRefusal::Panicked.answer(&SystemPlatform::default());
            log_request(&refusing.metrics, None, &handled, Duration::ZERO);
            std::future::ready(Ok::<_, Infallible>(handled.response.map(Bytes::from)))
        })
        .unify()
}

/// The head without the host that an absolute address names: the rules speak of paths.
async fn head(method: Method, path: FullPath, query: Option<String>, headers: HeaderMap) -> Result<Parts, Rejection> {
    let target = query.map_or_else(|| path.as_str().to_owned(), |query| format!("{}?{query}", path.as_str()));
    let target = PathAndQuery::try_from(target).map_err(|_| warp::reject::reject())?;
    let (mut head, ()) = Request::new(()).into_parts();
    (head.method, head.uri, head.headers) = (method, Uri::from(target), headers);
    Ok(head)
}

async fn answer(
    shared: Arc<Shared>,
    connection: Arc<Connection>,
    mut head: Parts,
    chunks: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static,
) -> Response<Bytes> {
    connection.begin_request();
    let began = Instant::now();
    head.extensions.insert(CallerAddress(connection.address));
    let method = head.method.clone();
    let body = HttpBody::new(&head.headers, chunks, Arc::clone(&shared), Arc::clone(&connection));
    // A future that panicked is not polled again, so no code sees its state.
    let handling = AssertUnwindSafe(async { (shared.handle)(head, body).await }).catch_unwind();
    let is_malformed = connection.is_malformed.load(Ordering::Relaxed);
    let handled = if is_malformed {
        HostRefusal::MalformedHead.answer(&SystemPlatform::default())
    } else {
        handling.await.unwrap_or_else(|_| HostRefusal::Panicked.answer(&SystemPlatform::default()))
    };
    if handled.is_failure_past_limit {
        shared.failures_past_limit.count(&shared.metrics, &method, &handled, began.elapsed());
    } else {
        log_request(&shared.metrics, Some(&method), &handled, began.elapsed());
    }
    let Handled { response, file, account, is_operator, .. } = handled;
    // All operators count as one account.
    let account = account.or_else(|| is_operator.then(Uuid::nil));
    *connection.reservation.lock() = None;
    // The bytes of a file are in the program; they are not copied.
    let content = |name| matterbook_viewer::content(name).or_else(|| matterbook_import_files::content(name));
    let file = file.and_then(|file| content(file.name));
    let mut response = response.map(|body| shared.limiter.answer(&connection, account, body, file));
    if is_malformed || connection.has_unread_body.load(Ordering::Relaxed) {
        // The rest of the body cannot be told from the next request, so the connection ends here.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
