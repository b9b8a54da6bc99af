//! One connection, from its first byte to its close.

use std::{
    io::{Read as _, Write as _},
    net::Shutdown,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt as _, TryFutureExt as _, future::Either, stream::FuturesUnordered};
use http::{HeaderValue, Request, Response, header::CONNECTION, request::Parts};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use matterbook_core::api::{Handled, HostRefusal};
use tokio::{io::AsyncWriteExt as _, net::TcpStream, sync::watch};

use super::{
    body::{HttpBody, Watched},
    body_room::HeldRoom,
    filter::{Requests, filter},
    head_timer::HeadTimer,
    limits::Limits,
    log::log_request,
    places::Place,
    raw,
    socket::Socket,
};
use crate::{metrics::RequestMetrics, platform::SystemPlatform};

/// The largest request line and headers together.
const HEAD_BYTES: usize = 64 * 1_024;
/// The most of a body, or of what follows a head, that waits to be read by somebody.
const BUFFER_BYTES: usize = 128 * 1_024;

/// Why a connection is to end although its caller goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The server stops.
    Stop,
    /// Another connection gets the place.
    Leave,
}

/// Answers the requests of a connection until it ends, or, when `stopping` turns true, until the
/// one that it is at is answered, or until its place is given to another while it waits for a head.
///
/// The room for bodies is counted by each connection for itself, as the rules are.
pub(super) async fn serve<H, F>(
    stream: TcpStream,
    place: Place,
    handle: H,
    room: HeldRoom,
    limits: Limits,
    metrics: Arc<RequestMetrics>,
    mut stopping: watch::Receiver<bool>,
) where
    H: Fn(Parts, HttpBody) -> F + Send + Sync + 'static,
    F: Future<Output = Handled> + Send,
{
    let socket = Socket::new(stream, limits, Arc::clone(&metrics));
    let settled = socket.settled();
    let requests = Requests::new(handle, room, limits.body_timeout, metrics);
    let warp = TowerToHyperService::new(warp::service(filter(Arc::clone(&requests))));
    let is_read = Arc::<AtomicBool>::default();
    let seat = Arc::clone(&place.seat);
    let service = service_fn(move |request: Request<Incoming>| {
        seat.works();
        let request = request.map(|body| Watched::new(body, Arc::clone(&is_read)));
        let (settled, is_read) = (Arc::clone(&settled), Arc::clone(&is_read));
        warp.call(requests.without_head(request)).map_ok(move |response| {
            if is_read.load(Ordering::Relaxed) {
                settled.store(true, Ordering::Relaxed);
                response
            } else {
                closing(response)
            }
        })
    });
    let connection = http1::Builder::new()
        .timer(HeadTimer::new(Arc::clone(&place.seat)))
        .header_read_timeout(limits.head_timeout)
        .max_header_size(HEAD_BYTES)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(socket), service);
    let mut connection = pin!(connection);
    // Asked only once it has something to say: each look at it takes a lock that all connections share,
    // and the connection takes its turn several times a request.
    let stops = async move {
        drop(stopping.wait_for(|is_stopping| *is_stopping).await);
        End::Stop
    };
    let seat = Arc::clone(&place.seat);
    let leaves = async move {
        seat.told_to_leave().await;
        End::Leave
    };
    let mut end: FuturesUnordered<_> = [Either::Left(stops), Either::Right(leaves)].into_iter().collect();
    // How a connection ended is the caller's affair: what it was answered is in the log already.
    tokio::select! {
        biased;
        _ = connection.as_mut() => return,
        end = end.next() => if end == Some(End::Leave) { return },
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// What is left of an unread body is not told from the next request, so the connection ends here.
fn closing<B>(mut response: Response<B>) -> Response<B> {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Tells a caller that there are too many connections, before any work for it.
pub(super) async fn refuse(stream: TcpStream, limits: Limits, metrics: Arc<RequestMetrics>) {
    let refusal = refusal(&metrics);
    let mut socket = Socket::new(stream, limits, metrics);
    socket.settled().store(false, Ordering::Relaxed);
    if socket.write_all(&refusal).await.is_ok() {
        let _ = socket.shutdown().await;
    }
}

/// Tells it without waiting for anything: the answer fits into the empty buffer of a new socket, and
/// what came in so far is read away, since closing over it would discard the answer.
pub(super) fn refuse_at_once(stream: TcpStream, metrics: &RequestMetrics) {
    // The runtime has not seen yet that the socket takes bytes; the system knows. It stays
    // non-blocking, so none of these waits.
    let Ok(mut stream) = stream.into_std() else { return };
    let _ = stream.write(&refusal(metrics));
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.read(&mut [0; HEAD_BYTES]);
}

fn refusal(metrics: &RequestMetrics) -> Vec<u8> {
    let handled = HostRefusal::TooManyConnections.answer(&SystemPlatform::default());
    metrics.count_refused_connection();
    log_request(metrics, None, &handled, Duration::ZERO);
    raw::to_bytes(&handled.response)
}
