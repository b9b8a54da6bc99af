//! What reaches the rules of a request, and what is refused before.

use std::io::Write as _;

use super::service::{Service, assert_is_serving, check, rest};

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
    let internal = "\"message\":\"Something went wrong on our side. Please try again shortly.\"}}\n";
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

/// A proxy may understand them otherwise than this service does.
#[test]
fn heads_that_two_readers_may_understand_differently_are_refused() {
    let body = "content-length: 2\r\n\r\n{}";
    for (head, rest_of_it) in [
        ("no host", format!("POST /read HTTP/1.1\r\n{body}")),
        ("two hosts", format!("POST /read HTTP/1.1\r\nhost: a\r\nhost: a\r\n{body}")),
        ("chunked twice", "POST /read HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n".to_owned()),
        (
            "chunked in two lines",
            "POST /read HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
                .to_owned(),
        ),
        ("another encoding before", "POST /read HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n".to_owned()),
        ("a bare line feed", format!("POST /read HTTP/1.1\r\nhost: a\nx: y\r\n{body}")),
        ("bare line feeds only", "GET /read HTTP/1.1\nhost: a\n\n".to_owned()),
    ] {
        let service = Service::start();
        let mut stream = service.connect();
        stream.write_all(rest_of_it.as_bytes()).expect("sent");
        let answer = rest(stream);
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("\r\nconnection: close\r\n"), "{head}: {answer}");
        assert_is_serving(&service);
    }
    check("GET /read HTTP/1.0\r\n\r\n", "HTTP/1.0 200 ", "read 0 of /read");
}

/// Line feeds are checked where a head is, and nowhere else.
#[test]
fn a_request_after_a_body_in_chunks_is_checked_and_the_body_is_not() {
    let chunked = "POST /read HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\n\n\n\n\r\n0\r\n\r\n";
    let sized = "POST /read HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n\n{}\n";
    let last = "GET /read HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    let service = Service::start();
    let mut stream = service.connect();
    stream.write_all(format!("{chunked}{sized}{chunked}{last}").as_bytes()).expect("sent");
    let answer = rest(stream);
    assert_eq!(answer.matches("HTTP/1.1 200 ").count(), 4, "{answer}");
    let mut stream = service.connect();
    stream.write_all(format!("{chunked}{sized}GET /read HTTP/1.1\nhost: a\r\n\r\n").as_bytes()).expect("sent");
    let answer = rest(stream);
    assert_eq!(answer.matches("HTTP/1.1 200 ").count(), 2, "{answer}");
    assert_eq!(answer.matches("HTTP/1.1 400 ").count(), 1, "{answer}");
}
