//! One connection, from its first byte to its close.

use std::{
    future::poll_fn,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use http::{
    Request, Response, Version,
    header::{HOST, TRANSFER_ENCODING},
};
use hyper::{
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use matterbook_core::api::HostRefusal;
use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::OwnedSemaphorePermit,
};

use super::{
    Shared,
    answer_timeout::AnswerTimeout,
    connection_limiter::Connection,
    filter::filter,
    limits::Limits,
    log::log_request,
    request_reader::{Framing, RequestReader},
};
use crate::platform::SystemPlatform;

/// The largest request line and headers together.
const HEAD_BYTES: usize = 64 * 1_024;
/// The most bytes of a body, or of what follows a head, that wait to be read.
const BUFFER_BYTES: usize = 128 * 1_024;

/// Answers the requests of a connection until its caller closes it, the server stops or it is evicted.
pub(super) async fn serve(stream: TcpStream, state: Arc<Connection>, shared: Arc<Shared>) {
    let limits = shared.limits;
    // An answer is a whole message, so waiting for more of it to send is of no use.
    let _ = stream.set_nodelay(true);
    let _ = set_socket_send_buffer_size(&stream, limits.send_buffer_bytes);
    let stream = AnswerTimeout::new(stream, limits.answer_timeout, limits.answer_bytes_per_second);
    let stream = RequestReader::new(stream);
    let framing = stream.framing();
    let handled = Arc::clone(&state);
    let warp = TowerToHyperService::new(warp::service(filter(shared, Arc::clone(&state))));
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_header_size(HEAD_BYTES)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(
            TokioIo::new(stream),
            service_fn(move |request| {
                *framing.lock() = Framing::after(&request);
                handled.is_malformed.store(is_malformed(&request), Ordering::Relaxed);
                Box::pin(warp.call(request))
            }),
        );
    let ended = tokio::select! {
        ended = poll_fn(|context| connection.poll_without_shutdown(context)) => ended,
        () = state.closing.cancelled() => {
            if state.is_evicted() {
                return;
            }
            Pin::new(&mut connection).graceful_shutdown();
            poll_fn(|context| connection.poll_without_shutdown(context)).await
        }
    };
    // hyper answers a head that it cannot read by itself.
    let is_refused = ended.is_err_and(|error| error.is_parse());
    if is_refused || state.has_unread_body.load(Ordering::Relaxed) {
        let mut stream = connection.into_parts().io.into_inner().into_inner().into_inner();
        drain(&mut stream, limits).await;
    }
}

/// Whether HTTP/1.1 forbids a head that hyper takes: without one `Host`, or with a transfer encoding other than
/// one `chunked` (rule H29).
fn is_malformed<B>(request: &Request<B>) -> bool {
    let hosts = request.headers().get_all(HOST).iter().count();
    let mut encodings = request.headers().get_all(TRANSFER_ENCODING).iter();
    let encoding = encodings.next();
    let is_chunked = encoding.is_none_or(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"chunked"));
    hosts > 1 || (hosts == 0 && request.version() != Version::HTTP_10) || !is_chunked || encodings.next().is_some()
}

/// Closes our half and reads what still comes, for a bounded time and size. A socket that is closed while
/// unread bytes wait in it sends a reset, which discards the answer on its way.
async fn drain(stream: &mut TcpStream, limits: Limits) {
    if stream.shutdown().await.is_ok() {
        let mut rest = stream.take(limits.drain_bytes);
        let mut sink = tokio::io::sink();
        let _ = tokio::time::timeout(limits.drain_timeout, tokio::io::copy(&mut rest, &mut sink)).await;
    }
}

/// Answers that there are too many connections. With a permit, the connection is kept until the caller has read
/// the answer.
pub(super) async fn refuse(mut stream: TcpStream, permit: Option<OwnedSemaphorePermit>, shared: Arc<Shared>) {
    let handled = HostRefusal::TooManyConnections.answer(&SystemPlatform::default());
    shared.metrics.count_refused_connection();
    log_request(&shared.metrics, None, &handled, Duration::ZERO);
    // The buffer of a new socket takes it at once.
    let is_sent = stream.write_all(&to_bytes(&handled.response)).await.is_ok();
    if is_sent && permit.is_some() {
        drain(&mut stream, shared.limits).await;
    } else {
        let _ = stream.try_read(&mut [0; 4 * 1_024]);
    }
}

/// The bytes of an answer after which the connection is closed.
fn to_bytes(response: &Response<Vec<u8>>) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {}\r\n", response.status()).into_bytes();
    for (name, value) in response.headers() {
        bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    let length = response.body().len();
    bytes.extend(format!("content-length: {length}\r\nconnection: close\r\n\r\n").into_bytes());
    bytes.extend(response.body());
    bytes
}
