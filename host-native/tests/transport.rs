//! The server over real sockets, with rules that only show what reached them: whatever a caller sends, an
//! answer arrives, and the next caller is served.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    thread::JoinHandle,
    time::{Duration, Instant},
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
const MIB: usize = 1_024 * 1_024;
const LARGE_BYTES: usize = 64 * 1_024 * 1_024;

/// Requests of `/slow` that have begun, and those that may end.
#[derive(Clone)]
struct Slow {
    begun: Arc<Semaphore>,
    released: Arc<Semaphore>,
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

const LIMITS: Limits = Limits {
    connections: 4,
    idle_time_at_least: Duration::from_millis(100),
    head_timeout: Duration::from_millis(200),
    body_timeout: Duration::from_millis(200),
    small_bodies_bytes: 1_024 * 1_024,
    large_bodies_bytes: 1_024 * 1_024,
    room_timeout: Duration::from_millis(300),
    write_timeout: Duration::from_millis(500),
    drain_timeout: Duration::from_millis(1_500),
    drain_bytes: 16 * 1_024 * 1_024,
    stop_timeout: Duration::from_secs(5),
};

struct Service {
    runtime: Runtime,
    server: Server,
    slow: Slow,
}

impl Service {
    fn start() -> Self {
        Self::with(LIMITS)
    }

    fn with(limits: Limits) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let slow = Slow { begun: Arc::new(Semaphore::new(0)), released: Arc::new(Semaphore::new(0)) };
        let handler = slow.clone();
        let server = runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            Server::start(listener, limits, move |head, body| handle(head, body, handler.clone())).expect("a server")
        });
        Self { runtime, server, slow }
    }

    fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns when that many requests of `/slow` are being handled.
    fn wait_for_slow(&self, requests: usize) {
        let requests = u32::try_from(requests).expect("a few");
        self.runtime.block_on(self.slow.begun.acquire_many(requests)).expect("an open gate").forget();
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        stream
    }
}

/// Everything that comes until the service closes the connection.
fn rest(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer and an orderly close");
    String::from_utf8(answer).expect("text")
}

/// Sends `request` in one piece; the answer's status line and end are as expected, and another
/// caller is served afterwards.
fn check(request: &str, status: &str, end: &str) {
    let service = Service::start();
    let mut stream = service.connect();
    stream.write_all(request.as_bytes()).expect("sent");
    let answer = rest(stream);
    assert!(answer.starts_with(status), "{request:.60}: {answer}");
    assert!(answer.ends_with(end), "{request:.60}: {answer}");
    assert_is_serving(&service);
}

fn assert_is_serving(service: &Service) {
    let mut stream = service.connect();
    stream
        .write_all(b"POST /read HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        .expect("sent");
    assert!(rest(stream).ends_with("read 2 of /read"));
}

#[test]
fn any_request_reaches_the_rules_as_it_is() {
    let tail = " HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    for (line, seen) in [
        ("GET /a%20b/?q=%C3%A9&x", "no key for GET /a%20b/?q=%C3%A9&x"),
        ("BREW /pot", "no key for BREW /pot"),
        ("GET http://elsewhere/x?y=1", "no key for GET /x?y=1"),
        ("OPTIONS *", "no key for OPTIONS *"),
        ("GET /read?", "read 0 of /read?"),
    ] {
        let status = if line.contains("/read") { "HTTP/1.1 200 OK" } else { "HTTP/1.1 401 Unauthorized" };
        check(&format!("{line}{tail}"), status, seen);
    }
}

#[test]
fn bodies_are_counted_whatever_their_framing() {
    let chunk = |bytes: usize| format!("{bytes:x}\r\n{}\r\n", "x".repeat(bytes));
    let chunked = "POST /read HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";
    check(&format!("{chunked}{}{}0\r\n\r\n", chunk(60_000), chunk(40_000)), "HTTP/1.1 200", "read 100000 of /read");
    check(&format!("{chunked}{}{}0\r\n\r\n", chunk(60_000), chunk(40_001)), "HTTP/1.1 413", "too large");
    check(&format!("{chunked}zz\r\n"), "HTTP/1.1 400", "broken");
    let sized = |bytes: usize| {
        let body = "x".repeat(bytes);
        format!("POST /read HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: {bytes}\r\n\r\n{body}")
    };
    check(&sized(100_000), "HTTP/1.1 200", "read 100000 of /read");
    check(&sized(100_001), "HTTP/1.1 413", "too large");
    check(&sized(5_000_000), "HTTP/1.1 413", "too large");
    check("POST /read HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n12345", "HTTP/1.1 408", "too slow");
}

#[test]
fn a_refusal_reaches_a_caller_that_sends_five_megabytes() {
    let body = "x".repeat(5_000_000);
    check(
        &format!("POST /private HTTP/1.1\r\nhost: a\r\ncontent-length: 5000000\r\n\r\n{body}"),
        "HTTP/1.1 401",
        "no key for POST /private",
    );
}

#[test]
fn a_panic_is_answered_in_the_error_shape() {
    let internal = r#""message":"Something went wrong on our side. Please try again shortly."}}"#;
    check("GET /panic HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", "HTTP/1.1 500", internal);
}

/// hyper answers it by itself, before there is a request.
#[test]
fn a_head_that_is_malformed_or_too_large_is_refused_and_the_connection_closed() {
    let large = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "x".repeat(100_000));
    for (request, status) in [
        ("nonsense\r\n\r\n", "HTTP/1.1 400 "),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "HTTP/1.1 400 "),
        (large.as_str(), "HTTP/1.1 431 "),
    ] {
        let service = Service::start();
        let mut stream = service.connect();
        stream.write_all(request.as_bytes()).expect("sent");
        let answer = rest(stream);
        let is_empty = answer.contains("\r\ncontent-length: 0\r\n") && answer.ends_with("\r\n\r\n");
        assert!(answer.starts_with(status) && is_empty, "{request:.60}: {answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{request:.60}: {answer}");
        assert_is_serving(&service);
    }
}

#[test]
fn slow_headers_and_idle_connections_are_closed() {
    let service = Service::start();
    for begun in ["", "GET / HTTP/1.1\r\nhost: a\r\n"] {
        let mut stream = service.connect();
        stream.write_all(begun.as_bytes()).expect("sent");
        let began = Instant::now();
        assert_eq!(rest(stream), "");
        assert!(began.elapsed() < Duration::from_secs(2), "{begun:?}");
    }
    assert_is_serving(&service);
}

#[test]
fn a_client_that_never_reads_its_answer_is_disconnected() {
    let service = Service::start();
    let unread: Vec<TcpStream> = (0..LIMITS.connections)
        .map(|_| {
            let mut stream = service.connect();
            stream.write_all(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
            stream
        })
        .collect();
    let is_served = || {
        let mut stream = service.connect();
        let sent = stream.write_all(b"GET /read HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        sent.is_ok() && rest(stream).starts_with("HTTP/1.1 200")
    };
    let began = Instant::now();
    while !is_served() {
        assert!(began.elapsed() < Duration::from_secs(5), "the places are still held");
    }
    drop(unread);
}

#[test]
fn past_the_connection_limit_a_caller_is_told_to_come_back() {
    let service = Service::start();
    let held: Vec<TcpStream> = (0..LIMITS.connections)
        .map(|_| {
            let mut stream = service.connect();
            stream.write_all(b"GET /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").expect("sent");
            stream
        })
        .collect();
    service.wait_for_slow(LIMITS.connections);
    let mut stream = service.connect();
    stream.write_all(b"GET /read HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
    let answer = rest(stream);
    assert!(answer.starts_with("HTTP/1.1 500 Internal Server Error\r\n"), "{answer}");
    assert!(answer.contains("\r\nretry-after: 1\r\n") && answer.contains(r#""code":"internal""#), "{answer}");
    service.slow.released.add_permits(LIMITS.connections);
    for stream in held {
        assert!(rest(stream).ends_with("at last"));
    }
    assert_is_serving(&service);
}

#[test]
fn every_connection_over_the_limit_gets_an_answer() {
    const TOO_MANY: usize = 100;
    let service = Service::start();
    let held: Vec<TcpStream> = (0..LIMITS.connections)
        .map(|_| {
            let mut stream = service.connect();
            stream.write_all(b"GET /slow HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").expect("sent");
            stream
        })
        .collect();
    service.wait_for_slow(LIMITS.connections);
    let silent: Vec<TcpStream> = (0..TOO_MANY).map(|_| service.connect()).collect();
    for mut stream in &silent {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer and an orderly close");
        assert!(answer.starts_with("HTTP/1.1 500 ") && answer.contains("\r\nretry-after: 1\r\n"), "{answer:?}");
    }
    service.slow.released.add_permits(LIMITS.connections);
    for stream in held {
        assert!(rest(stream).ends_with("at last"));
    }
    assert_is_serving(&service);
}

#[test]
fn a_stop_finishes_what_was_accepted_and_accepts_nothing_more() {
    let service = Service::start();
    let address = service.address();
    let idle = service.connect();
    let mut stream = service.connect();
    stream.write_all(b"GET /slow HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
    service.wait_for_slow(1);
    let Service { runtime, server, slow } = service;
    let stopping = std::thread::spawn(move || runtime.block_on(server.stop()));
    while TcpStream::connect(address).is_ok() {
        std::thread::yield_now();
    }
    assert!(!stopping.is_finished(), "it waits for what it accepted");
    slow.released.add_permits(1);
    assert!(rest(stream).ends_with("at last"));
    assert!(stopping.join().expect("no panic"), "all was finished in time");
    drop(idle);
}

/// A server with memory for large bodies of 5 MiB, whose body and connection timeouts no test reaches.
fn with_five_mebibytes(room_timeout: Duration) -> Service {
    let minute = Duration::from_secs(60);
    Service::with(Limits {
        connections: 64,
        head_timeout: minute,
        body_timeout: minute,
        large_bodies_bytes: 5 * MIB,
        room_timeout,
        ..LIMITS
    })
}

/// Sends a body of a key, from another thread, since the server may leave it unread; its answer comes later.
fn send_body(service: &Service, path: &str, key: &str, bytes: usize) -> JoinHandle<String> {
    let mut stream = service.connect();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\nauthorization: {key}\r\nconnection: close\r\ncontent-length: {bytes}\r\n\r\n"
    );
    std::thread::spawn(move || {
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&vec![b'x'; bytes]);
        rest(stream)
    })
}

fn answer_of(answer: JoinHandle<String>) -> String {
    let answer = answer.join().expect("an answer");
    answer.rsplit("\r\n\r\n").next().expect("a body").to_owned()
}

#[test]
fn small_bodies_have_room_however_many_large_ones_wait() {
    let service = with_five_mebibytes(Duration::from_millis(300));
    let all = send_body(&service, "/hold", "a", 5 * MIB);
    service.wait_for_slow(1);
    assert_eq!(answer_of(send_body(&service, "/hold", "b", MIB)), "no room");
    for bytes in [0, 16 * 1_024, 100_000, 256 * 1_024] {
        assert_eq!(answer_of(send_body(&service, "/count", "b", bytes)), format!("counted {bytes}"));
    }
    service.slow.released.add_permits(1);
    assert_eq!(answer_of(all), format!("held {}", 5 * MIB));
    assert_eq!(answer_of(send_body(&service, "/count", "b", 5 * MIB)), format!("counted {}", 5 * MIB));
}

#[test]
fn two_large_bodies_of_a_key_leave_room_for_other_keys() {
    let service = with_five_mebibytes(Duration::from_millis(300));
    let held = [(); 2].map(|()| send_body(&service, "/hold", "a", MIB));
    service.wait_for_slow(2);
    assert_eq!(answer_of(send_body(&service, "/count", "a", MIB)), "no room");
    assert_eq!(answer_of(send_body(&service, "/count", "b", MIB)), format!("counted {MIB}"));
    service.slow.released.add_permits(2);
    for answer in held {
        assert_eq!(answer_of(answer), format!("held {MIB}"));
    }
    assert_eq!(answer_of(send_body(&service, "/count", "a", MIB)), format!("counted {MIB}"));
}

#[test]
fn a_body_larger_than_the_budget_takes_all_of_it_and_releases_it_to_the_next() {
    let service = with_five_mebibytes(Duration::from_secs(4));
    let all = send_body(&service, "/hold", "a", 7 * MIB);
    service.wait_for_slow(1);
    let waiting = send_body(&service, "/count", "b", MIB);
    std::thread::sleep(Duration::from_millis(300));
    assert!(!waiting.is_finished());
    service.slow.released.add_permits(1);
    assert_eq!(answer_of(all), format!("held {}", 7 * MIB));
    assert_eq!(answer_of(waiting), format!("counted {MIB}"));
}

#[test]
fn past_the_connection_limit_the_one_that_is_idle_longest_is_evicted() {
    const IDLE: Duration = Duration::from_secs(2);
    let minute = Duration::from_secs(60);
    let limits = Limits { connections: 3, idle_time_at_least: IDLE, head_timeout: minute, ..LIMITS };
    let service = Service::with(limits);
    let ask = |path: &str| {
        let mut stream = service.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
        stream
    };
    let read = |stream: &mut TcpStream| {
        let mut answer = [0; 4_096];
        let length = stream.read(&mut answer).expect("an answer or an orderly close");
        String::from_utf8_lossy(&answer[..length]).into_owned()
    };
    let handled = ask("/slow");
    service.wait_for_slow(1);
    let [mut first, mut second] = [(); 2].map(|()| {
        let mut stream = ask("/read");
        assert!(read(&mut stream).ends_with("read 0 of /read"));
        stream
    });
    let refused = rest(ask("/read"));
    assert!(refused.starts_with("HTTP/1.1 500 "), "none has been idle for long enough: {refused}");
    std::thread::sleep(IDLE);
    // A request of its own makes the first one the later one.
    first.write_all(b"GET /read HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
    assert!(read(&mut first).ends_with("read 0 of /read"));
    let third = ask("/slow");
    service.wait_for_slow(1);
    assert_eq!(read(&mut second), "", "it was idle longest");
    std::thread::sleep(IDLE);
    let fourth = ask("/slow");
    service.wait_for_slow(1);
    assert_eq!(read(&mut first), "");
    std::thread::sleep(IDLE);
    let refused = rest(ask("/read"));
    assert!(refused.starts_with("HTTP/1.1 500 "), "each of the three handles a request: {refused}");
    service.slow.released.add_permits(3);
    for mut stream in [handled, third, fourth] {
        assert!(read(&mut stream).ends_with("at last"));
    }
}
