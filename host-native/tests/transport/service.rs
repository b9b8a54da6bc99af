//! A server with short times, and rules that show what reached them.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    time::Duration,
};

use http::{Response, request::Parts};
use matterbook::{
    http::{HttpBody, Limits, Server},
    platform::SystemPlatform,
};
use matterbook_core::api::{BodyError, Handled, HostRefusal, RequestBody as _};
use tokio::{net::TcpListener, runtime::Runtime, sync::Semaphore};

const BODY_LIMIT_BYTES: usize = 100_000;
const HELD_LIMIT_BYTES: usize = 8 * MIB;
pub const MIB: usize = 1_024 * 1_024;
const LARGE_BYTES: usize = 64 * 1_024 * 1_024;

/// Requests of `/slow` that have begun, and those that may end.
#[derive(Clone)]
pub struct Slow {
    pub begun: Arc<Semaphore>,
    pub released: Arc<Semaphore>,
}

/// `/read` answers with the length of the body, `/panic` panics, `/slow` waits to be released, `/large`
/// answers more than a socket buffer holds. `/hold` reads a large body and waits to be released, `/count`
/// answers with its length. Any other path is refused without reading the body.
async fn handle(head: Parts, body: HttpBody, slow: Slow) -> Handled {
    let (status, text) = match head.uri.path() {
        "/read" => match body.read(BODY_LIMIT_BYTES).await {
            Ok(body) => (200, format!("read {} of {}", body.len(), head.uri)),
            Err(BodyError::TooLarge) => (413, "too large".to_owned()),
            Err(BodyError::TooSlow) => (408, "too slow".to_owned()),
            Err(BodyError::NoRoom) => (500, "no room".to_owned()),
            Err(BodyError::Broken) => (400, "broken".to_owned()),
        },
        "/panic" => panic!("a defect"),
        "/hold" => match body.read(HELD_LIMIT_BYTES).await {
            Ok(body) => {
                slow.begun.add_permits(1);
                slow.released.acquire().await.expect("an open gate").forget();
                (200, format!("held {}", body.len()))
            }
            Err(_) => (500, "no room".to_owned()),
        },
        "/count" => match body.read(HELD_LIMIT_BYTES).await {
            Ok(body) => (200, format!("counted {}", body.len())),
            Err(_) => (500, "no room".to_owned()),
        },
        "/slow" => {
            slow.begun.add_permits(1);
            slow.released.acquire().await.expect("an open gate").forget();
            (200, "at last".to_owned())
        }
        "/large" => (200, "x".repeat(LARGE_BYTES)),
        _ => (401, format!("no key for {} {}", head.method, head.uri)),
    };
    let response = Response::builder().status(status).body(text.into_bytes());
    // What a host answers by itself is the one way to an answer without a service.
    let mut handled = HostRefusal::MalformedHead.answer(&SystemPlatform::default());
    handled.response = response.expect("a plain response");
    handled
}

pub const LIMITS: Limits = Limits {
    connections: 4,
    idle_time_at_least: Duration::from_millis(100),
    head_timeout: Duration::from_millis(200),
    body_timeout: Duration::from_millis(200),
    small_bodies_bytes: 1_024 * 1_024,
    large_bodies_bytes: 1_024 * 1_024,
    room_timeout: Duration::from_millis(300),
    answer_timeout: Duration::from_millis(500),
    answer_bytes_per_second: 1_024 * 1_024,
    answers_bytes: 256 * 1_024 * 1_024,
    stranger_answers: 4,
    failures_of_address: 2_000,
    failures: 10_000,
    send_buffer_bytes: 128 * 1_024,
    drain_timeout: Duration::from_millis(1_500),
    drain_bytes: 16 * 1_024 * 1_024,
    stop_timeout: Duration::from_secs(5),
};

pub struct Service {
    pub runtime: Runtime,
    pub server: Server,
    pub slow: Slow,
}

impl Service {
    pub fn start() -> Self {
        Self::with(LIMITS)
    }

    pub fn with(limits: Limits) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let slow = Slow { begun: Arc::new(Semaphore::new(0)), released: Arc::new(Semaphore::new(0)) };
        let handler = slow.clone();
        let server = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            Server::start(listener, limits, move |head, body| handle(head, body, handler.clone())).expect("a server")
        });
        Self { runtime, server, slow }
    }

    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns when that many requests of `/slow` are being handled.
    pub fn wait_for_slow(&self, requests: usize) {
        let requests = u32::try_from(requests).expect("a few");
        self.runtime.block_on(self.slow.begun.acquire_many(requests)).expect("an open gate").forget();
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        stream
    }
}

/// Everything that comes until the service closes the connection.
pub fn rest(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer and an orderly close");
    String::from_utf8(answer).expect("text")
}

/// Sends `request` in one piece; the answer's status line and end are as expected, and another
/// caller is served afterwards.
pub fn check(request: &str, status: &str, end: &str) {
    let service = Service::start();
    let mut stream = service.connect();
    stream.write_all(request.as_bytes()).expect("sent");
    let answer = rest(stream);
    assert!(answer.starts_with(status), "{request:.60}: {answer}");
    assert!(answer.ends_with(end), "{request:.60}: {answer}");
    assert_is_serving(&service);
}

pub fn assert_is_serving(service: &Service) {
    let mut stream = service.connect();
    stream
        .write_all(b"POST /read HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        .expect("sent");
    assert!(rest(stream).ends_with("read 2 of /read"));
}
