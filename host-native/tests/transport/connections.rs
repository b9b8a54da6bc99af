//! How many connections are held, for how long, and how they end.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

use matterbook::http::Limits;

use super::service::{LIMITS, Service, assert_is_serving, rest};

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

#[test]
fn an_idle_connection_gives_its_place_to_a_caller() {
    let service = Service::with(Limits { connections: 1, idle_time_at_least: Duration::ZERO, ..LIMITS });
    let idle = service.connect();
    assert_is_serving(&service);
    assert_eq!(rest(idle), "");
}

/// Reads a part of each answer, again and again, for as long as the connection lasts.
fn read_slowly(mut stream: TcpStream) -> Duration {
    let began = Instant::now();
    let mut part = [0; 4 * 1_024];
    while stream.read(&mut part).is_ok_and(|count| count > 0) {
        std::thread::sleep(Duration::from_millis(20));
    }
    began.elapsed()
}

#[test]
fn a_client_that_reads_its_answer_slowly_is_disconnected() {
    let service = Service::start();
    let mut stream = service.connect();
    stream.write_all(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
    // At this pace it would take five minutes.
    let took = read_slowly(stream);
    assert!(took < Duration::from_secs(30), "{took:?}");
}

#[test]
fn callers_without_a_key_that_do_not_read_their_answers_leave_places_for_others() {
    let minute = Duration::from_secs(60);
    let service = Service::with(Limits { answer_timeout: minute, stranger_answers: 2, ..LIMITS });
    let unread: Vec<TcpStream> = (0..3 * LIMITS.connections)
        .map(|_| {
            let mut stream = service.connect();
            stream.write_all(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n").expect("sent");
            // Its answer has begun.
            stream.read_exact(&mut [0; 16]).expect("an answer");
            stream
        })
        .collect();
    for _ in 0..10 {
        assert_is_serving(&service);
    }
    drop(unread);
}
