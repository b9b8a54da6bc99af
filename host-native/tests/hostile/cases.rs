//! The attacks, each a test with short times; and the table of all of them against the program.

use std::{fmt::Write as _, time::Duration};

use matterbook::server::Limits;

use crate::{
    attack::{Attack, Step},
    target::{InProcess, Program, Target},
};

/// What a stopwatch on a busy machine may add.
const MARGIN: Duration = Duration::from_secs(10);

const SHORT: fn() -> Limits = || Limits {
    head_timeout: Duration::from_millis(700),
    body_timeout: Duration::from_millis(700),
    write_timeout: Duration::from_millis(700),
    drain_timeout: Duration::from_millis(700),
    ..Limits::default()
};

fn send(text: impl Into<String>) -> Vec<Step> {
    vec![Step::Send(text.into().into_bytes())]
}

fn at_once(_: &Target) -> Duration {
    Duration::from_secs(2)
}

fn head_time(target: &Target) -> Duration {
    target.limits.head_timeout
}

fn body_time(target: &Target) -> Duration {
    target.limits.body_timeout + target.limits.drain_timeout
}

/// A refusal is followed by a rest that is read away for a while.
fn drain_time(target: &Target) -> Duration {
    Duration::from_secs(2) + target.limits.drain_timeout
}

fn slowly(bytes: &str) -> Step {
    Step::Trickle(bytes.as_bytes().to_vec(), Duration::from_millis(50))
}

fn quickly(bytes: Vec<u8>) -> Step {
    Step::Trickle(bytes, Duration::ZERO)
}

const CHUNKED: &str = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
const BODY_BYTES: usize = 12 * 1_024 * 1_024;

/// A batch with one client, whose fields are these.
fn client(fields: &str) -> String {
    format!("{{\"clients\": [{{{fields}}}]}}")
}

const fn attack(name: &'static str, gets: &'static [u16], sends: fn(&Target) -> Vec<Step>) -> Attack {
    Attack { name, sends, gets, goes_on: false, within: at_once }
}

const fn within(attack: Attack, within: fn(&Target) -> Duration) -> Attack {
    Attack { within, ..attack }
}

const fn goes_on(attack: Attack) -> Attack {
    Attack { goes_on: true, ..attack }
}

/// What would be executed if a body were taken for a request.
const SMUGGLED: &str = "GET /api/v1/smuggled HTTP/1.1\r\nhost: a\r\n\r\n";

/// One post with these lines in its head, and this after it.
fn framed(target: &Target, lines: &str, rest: &str) -> Vec<Step> {
    send(target.head("POST /api/v1/clients", &format!("content-type: application/json\r\n{lines}")) + rest)
}

macro_rules! attacks {
    ($($test:ident: $attack:expr;)*) => {
        const ALL: &[Attack] = &[$($attack),*];
        $(
            #[test]
            fn $test() {
                hold(&$attack);
            }
        )*
    };
}

attacks! {
    a_head_that_comes_letter_by_letter: within(attack("a head that comes letter by letter", &[], |_| {
        vec![Step::Send(b"GET /api/v1/me HTTP/1.1\r\nx: ".to_vec()), slowly("x")]
    }), head_time);
    a_head_that_stops: within(attack("a head that stops in the middle", &[], |_| {
        send("GET /api/v1/me HTTP/1.1\r\nhost: a\r\n")
    }), head_time);
    a_connection_that_says_nothing: within(attack("a connection that says nothing", &[], |_| Vec::new()), head_time);
    a_connection_that_says_no_more: within(attack("a connection that says no more after an answer", &[200], |target| {
        send(target.head("GET /api/v1/me", ""))
    }), head_time);
    half_open_within_a_head: attack("half-open within a head", &[], |_| {
        vec![Step::Send(b"GET /api/v1/me HTTP/1.1\r\nhos".to_vec()), Step::ShutDown]
    });
    a_body_that_comes_letter_by_letter: within(attack("a body that comes letter by letter", &[408], |target| {
        vec![Step::Send(target.head("POST /api/v1/clients", "content-length: 100000\r\n").into_bytes()), slowly(" ")]
    }), body_time);
    a_body_in_chunks_that_come_letter_by_letter: within(attack("chunks that come letter by letter", &[408], |target| {
        vec![Step::Send(target.head("POST /api/v1/clients", CHUNKED).into_bytes()), slowly("1\r\n \r\n")]
    }), body_time);
    a_body_that_never_comes: within(attack("a body that is announced and never comes", &[408], |target| {
        send(target.head("POST /api/v1/clients", "content-length: 100\r\nexpect: 100-continue\r\n"))
    }), body_time);
    a_slow_body_without_a_key: within(attack("a slow body without a key", &[401], |_| {
        let head = "POST /api/v1/clients HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n";
        vec![Step::Send(head.as_bytes().to_vec()), slowly(" ")]
    }), drain_time);
    half_open_within_a_body: attack("half-open within a body: it is shorter than it says", &[400], |target| {
        let head = target.head("POST /api/v1/clients", "content-length: 100\r\n");
        vec![Step::Send((head + &client("\"last_name\": \"Half\"")).into_bytes()), Step::ShutDown]
    });
    a_body_longer_than_it_says: attack("a body longer than it says", &[400, 400], |target| {
        framed(target, "content-length: 5\r\n", "{\"a\":1, and more\r\n\r\n")
    });
    chunks_without_end: within(attack("chunks without end", &[413], |target| {
        let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
        vec![Step::Send(target.head("POST /api/v1/clients", CHUNKED).into_bytes()), quickly(chunk.into_bytes())]
    }), drain_time);
    chunks_of_one_byte_without_end: within(attack("chunks of one byte without end", &[408], |target| {
        let chunks = "1\r\n \r\n".repeat(1_000);
        vec![Step::Send(target.head("POST /api/v1/clients", CHUNKED).into_bytes()), Step::Trickle(chunks.into_bytes(), Duration::from_millis(5))]
    }), body_time);
    a_chunk_with_an_extension_without_end: within(attack("a chunk with an extension without end", &[400], |target| {
        let head = target.head("POST /api/v1/clients", CHUNKED) + "1;x=";
        vec![Step::Send(head.into_bytes()), quickly(vec![b'x'; 0x10000])]
    }), drain_time);
    trailers_without_end: within(attack("trailers without end", &[400], |target| {
        let head = target.head("POST /api/v1/clients", CHUNKED) + "2\r\n{}\r\n0\r\n";
        vec![Step::Send(head.into_bytes()), quickly("x: y\r\n".repeat(10_000).into_bytes())]
    }), drain_time);
    a_chunk_longer_than_any_number: within(attack("a chunk longer than any number", &[400], |target| {
        framed(target, "transfer-encoding: chunked\r\n", "fffffffffffffffff\r\n{}")
    }), drain_time);
    a_body_over_the_limit: within(attack("a body that says 10 GB", &[413], |target| {
        let head = target.head("POST /api/v1/clients", "content-length: 10000000000\r\n");
        vec![Step::Send(head.into_bytes()), quickly(vec![b' '; 0x10000])]
    }), drain_time);
    brackets_twelve_mebibytes_deep: attack("12 MiB of opening brackets", &[400], |target| {
        send(target.post(&"[".repeat(BODY_BYTES - 1)))
    });
    brackets_deep_within_a_client: attack("a client's field two million brackets deep", &[200], |target| {
        let deep = format!("\"last_name\": \"Deep\", \"x\": {}{}", "[".repeat(2_000_000), "]".repeat(2_000_000));
        send(target.post(&client(&deep)))
    });
    objects_deep_within_a_client: attack("a million objects one in the other", &[200], |target| {
        let deep = format!("\"first_name\": {}1{}", "{\"a\":".repeat(1_000_000), "}".repeat(1_000_000));
        send(target.post(&client(&deep)))
    });
    a_number_of_ten_million_digits: attack("a number of ten million digits", &[200], |target| {
        send(target.post(&client(&format!("\"external_id\": {}", "9".repeat(10_000_000)))))
    });
    a_huge_exponent: attack("1e999999999 for a date, a ZIP and an id", &[200], |target| {
        let number = "1e999999999";
        send(target.post(&client(&format!("\"external_id\": {number}, \"zip\": {number}, \"opened_on\": {number}"))))
    });
    a_million_clients: attack("a batch of a million clients", &[400], |target| {
        send(target.post(&format!("{{\"clients\": [{}{{}}]}}", "{},".repeat(1_000_000))))
    });
    a_million_names: attack("a client with a million members", &[200], |target| {
        send(target.post(&client(&format!("{}\"last_name\": \"Many\"", "\"aaaa\":1,".repeat(1_000_000)))))
    });
    a_header_too_large: within(attack("a header of 1 MB", &[431], |target| {
        send(target.head("GET /api/v1/me", &format!("x: {}\r\n", "x".repeat(1_000_000))))
    }), drain_time);
    headers_without_end: within(attack("headers without end", &[431], |_| {
        vec![Step::Send(b"GET /api/v1/me HTTP/1.1\r\n".to_vec()), quickly("x: y\r\n".repeat(10_000).into_bytes())]
    }), drain_time);
    ten_thousand_headers: within(attack("10,000 headers", &[431], |target| {
        send(target.head("GET /api/v1/me", &"x: y\r\n".repeat(10_000)))
    }), drain_time);
    an_address_too_large: within(attack("an address of 1 MB", &[431], |target| {
        send(target.head(&format!("GET /api/v1/{}", "x".repeat(1_000_000)), ""))
    }), drain_time);
    many_pipelined_requests: goes_on(attack("100 requests in one piece", &[200; 100], |target| {
        send(target.head("GET /api/v1/me", "").repeat(100))
    }));
    a_length_beside_chunks: attack("smuggling: a length beside chunks", &[400], |target| {
        framed(target, "content-length: 4\r\ntransfer-encoding: chunked\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    });
    chunks_beside_a_length: attack("smuggling: chunks beside a length", &[400], |target| {
        framed(target, "transfer-encoding: chunked\r\ncontent-length: 45\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    });
    two_lengths: attack("smuggling: two lengths", &[400], |target| {
        framed(target, "content-length: 2\r\ncontent-length: 47\r\n", &format!("{{}}{SMUGGLED}"))
    });
    a_list_of_lengths: attack("smuggling: a list of lengths", &[400], |target| {
        framed(target, "content-length: 2, 47\r\n", &format!("{{}}{SMUGGLED}"))
    });
    a_length_with_a_sign: attack("smuggling: a length with a sign", &[400], |target| {
        framed(target, "content-length: +2\r\n", &format!("{{}}{SMUGGLED}"))
    });
    a_length_past_all_numbers: attack("smuggling: a length past all numbers", &[400], |target| {
        framed(target, "content-length: 18446744073709551618\r\n", &format!("{{}}{SMUGGLED}"))
    });
    chunks_that_are_not_the_last_encoding: attack("smuggling: chunks that are not the last encoding", &[400], |target| {
        framed(target, "transfer-encoding: chunked, identity\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    });
    an_encoding_that_nobody_knows: attack("smuggling: an encoding that nobody knows", &[400], |target| {
        framed(target, "transfer-encoding: xchunked\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    });
    a_space_before_the_colon: attack("smuggling: a space before the colon", &[400], |target| {
        framed(target, "content-length : 2\r\n", &format!("{{}}{SMUGGLED}"))
    });
    a_folded_header: attack("smuggling: a folded header", &[400], |target| {
        framed(target, "x: y\r\n transfer-encoding: chunked\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    });
    chunks_in_http_1_0: attack("smuggling: chunks in HTTP/1.0", &[400], |target| {
        let head = target.head("POST /api/v1/clients", "transfer-encoding: chunked\r\n").replace("HTTP/1.1", "HTTP/1.0");
        send(format!("{head}0\r\n\r\n{SMUGGLED}"))
    });
    a_chunk_length_with_a_sign: attack("smuggling: a chunk's length with a sign", &[400], |target| {
        framed(target, "transfer-encoding: chunked\r\n", &format!("+2\r\n{{}}\r\n0\r\n\r\n{SMUGGLED}"))
    });
    a_zero_byte_in_a_header: attack("a zero byte in a header", &[400], |target| {
        send(target.head("GET /api/v1/me", "x: a\0b\r\n"))
    });
    a_body_that_says_that_it_is_compressed: attack("a body that says that it is compressed", &[415], |target| {
        let gzip = "content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 20\r\nconnection: close\r\n";
        let mut bytes = target.head("POST /api/v1/clients", gzip).into_bytes();
        bytes.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0]);
        vec![Step::Send(bytes)]
    });
    another_protocol: attack("HTTP/2 without asking", &[], |_| send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    tls_where_there_is_none: attack("TLS where there is none", &[400], |_| {
        vec![Step::Send([&[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3], [0_u8; 506].as_slice()].concat())]
    });
}

/// Runs an attack on a service with short times and holds it to what it says.
fn hold(attack: &Attack) {
    let service = InProcess::start(SHORT());
    let outcome = attack.run(&service.target);
    let heads: Vec<&str> =
        outcome.answer.lines().filter(|line| line.starts_with("HTTP/") || line.starts_with('{')).collect();
    assert_eq!(outcome.statuses, attack.gets, "{}: {heads:?}", attack.name);
    for body in outcome.answer.split("\r\n\r\n").skip(1).filter(|body| body.starts_with("{\"error")) {
        assert!(body.contains("\"code\":\"") && body.contains("\"message\":\""), "the one error shape: {body}");
    }
    assert!(!outcome.answer.contains("smuggled"), "a body was taken for a request: {heads:?}");
    let limit = (attack.within)(&service.target) + MARGIN;
    assert!(outcome.took < limit, "{}: {:?}, not within {limit:?}", attack.name, outcome.took);
    assert!(outcome.others_waited.is_some(), "{}: another caller was not served meanwhile", attack.name);
}

#[test]
#[ignore = "a table for people, in some five minutes"]
fn table() {
    let program = Program::start();
    let mut table = String::from(
        "| a client that sends | gets | within (limit) | another's `GET /me` meanwhile | memory |\n|---|---|---|---|---|\n",
    );
    for attack in ALL {
        let outcome = attack.run(&program.target);
        let mut statuses = outcome.statuses.clone();
        statuses.dedup();
        let gets: Vec<String> = statuses.iter().map(u16::to_string).collect();
        let end = if attack.goes_on { "" } else { ", closed" };
        let gets = if gets.is_empty() { "closed".to_owned() } else { gets.join(", ") + end };
        let gets = if outcome.statuses.len() > 2 { format!("{} × {gets}", outcome.statuses.len()) } else { gets };
        let others =
            outcome.others_waited.map_or("not served".to_owned(), |time| format!("{:.0} ms", time.as_secs_f64() * 1e3));
        let _ = writeln!(
            table,
            "| {} | {gets} | {:.2} s ({:.0} s) | {others} | {:.0} MiB |",
            attack.name,
            outcome.took.as_secs_f64(),
            (attack.within)(&program.target).as_secs_f64(),
            program.memory().0
        );
        if outcome.statuses != attack.gets {
            let _ = writeln!(table, "| ^ expected {:?} | | | | |", attack.gets);
        }
    }
    println!("{table}");
}
