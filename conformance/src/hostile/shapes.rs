//! The shapes, in the order of a request's parts.

use std::time::Duration;

use super::{Caller, Shape, SocketAction};

const CHUNKED: &str = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
const BODY_BYTES: usize = 12 * 1_024 * 1_024;

/// What would be executed if a body were taken for a request.
pub(super) const SMUGGLED: &str = "GET /api/v1/smuggled HTTP/1.1\r\nhost: a\r\n\r\n";

pub(super) fn send(text: impl Into<String>) -> Vec<SocketAction> {
    vec![SocketAction::Send(text.into().into_bytes())]
}

pub(super) fn slowly(bytes: &str) -> SocketAction {
    SocketAction::Trickle(bytes.as_bytes().to_vec(), Duration::from_millis(50))
}

pub(super) fn quickly(bytes: Vec<u8>) -> SocketAction {
    SocketAction::Trickle(bytes, Duration::ZERO)
}

/// A batch with one client, whose fields are these.
fn client(fields: &str) -> String {
    format!("{{\"clients\": [{{{fields}}}]}}")
}

/// One post with these lines in its head, and this after it.
fn framed(caller: &Caller, lines: &str, rest: &str) -> Vec<SocketAction> {
    send(caller.head("POST /api/v1/clients", &format!("content-type: application/json\r\n{lines}")) + rest)
}

macro_rules! shapes {
    ($list:ident: $($constant:ident: $name:literal, $sends:expr;)*) => {
        $(
            #[doc = concat!("A client that sends ", $name, ".")]
            pub const $constant: Shape = Shape { name: $name, sends: $sends };
        )*

        /// All of them.
        pub const $list: &[Shape] = &[$($constant),*];
    };
}
pub(super) use shapes;

shapes! { SHAPES:
    A_HEAD_THAT_COMES_LETTER_BY_LETTER: "a head that comes letter by letter", |_| {
        vec![SocketAction::Send(b"GET /api/v1/me HTTP/1.1\r\nx: ".to_vec()), slowly("x")]
    };
    A_HEAD_THAT_STOPS: "a head that stops in the middle", |_| {
        send("GET /api/v1/me HTTP/1.1\r\nhost: a\r\n")
    };
    A_CONNECTION_THAT_SAYS_NOTHING: "a connection that says nothing", |_| Vec::new();
    A_CONNECTION_THAT_SAYS_NO_MORE: "a connection that says no more after an answer", |caller| {
        send(caller.head("GET /api/v1/me", ""))
    };
    HALF_OPEN_WITHIN_A_HEAD: "half-open within a head", |_| {
        vec![SocketAction::Send(b"GET /api/v1/me HTTP/1.1\r\nhos".to_vec()), SocketAction::ShutDown]
    };
    A_BODY_THAT_COMES_LETTER_BY_LETTER: "a body that comes letter by letter", |caller| {
        vec![SocketAction::Send(caller.head("POST /api/v1/clients", "content-length: 100000\r\n").into_bytes()), slowly(" ")]
    };
    A_BODY_IN_CHUNKS_THAT_COME_LETTER_BY_LETTER: "chunks that come letter by letter", |caller| {
        vec![SocketAction::Send(caller.head("POST /api/v1/clients", CHUNKED).into_bytes()), slowly("1\r\n \r\n")]
    };
    A_BODY_THAT_NEVER_COMES: "a body that is announced and never comes", |caller| {
        send(caller.head("POST /api/v1/clients", "content-length: 100\r\nexpect: 100-continue\r\n"))
    };
    A_SLOW_BODY_WITHOUT_A_KEY: "a slow body without a key", |_| {
        let head = "POST /api/v1/clients HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n";
        vec![SocketAction::Send(head.as_bytes().to_vec()), slowly(" ")]
    };
    HALF_OPEN_WITHIN_A_BODY: "half-open within a body: it is shorter than it says", |caller| {
        let head = caller.head("POST /api/v1/clients", "content-length: 100\r\n");
        vec![SocketAction::Send((head + &client("\"last_name\": \"Half\"")).into_bytes()), SocketAction::ShutDown]
    };
    A_BODY_LONGER_THAN_IT_SAYS: "a body longer than it says", |caller| {
        framed(caller, "content-length: 5\r\n", "{\"a\":1, and more\r\n\r\n")
    };
    CHUNKS_WITHOUT_END: "chunks without end", |caller| {
        let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
        vec![SocketAction::Send(caller.head("POST /api/v1/clients", CHUNKED).into_bytes()), quickly(chunk.into_bytes())]
    };
    CHUNKS_OF_ONE_BYTE_WITHOUT_END: "chunks of one byte without end", |caller| {
        let chunks = "1\r\n \r\n".repeat(1_000);
        vec![SocketAction::Send(caller.head("POST /api/v1/clients", CHUNKED).into_bytes()), SocketAction::Trickle(chunks.into_bytes(), Duration::from_millis(5))]
    };
    A_CHUNK_WITH_AN_EXTENSION_WITHOUT_END: "a chunk with an extension without end", |caller| {
        let head = caller.head("POST /api/v1/clients", CHUNKED) + "1;x=";
        vec![SocketAction::Send(head.into_bytes()), quickly(vec![b'x'; 0x10000])]
    };
    TRAILERS_WITHOUT_END: "trailers without end", |caller| {
        let head = caller.head("POST /api/v1/clients", CHUNKED) + "2\r\n{}\r\n0\r\n";
        vec![SocketAction::Send(head.into_bytes()), quickly("x: y\r\n".repeat(10_000).into_bytes())]
    };
    A_CHUNK_LONGER_THAN_ANY_NUMBER: "a chunk longer than any number", |caller| {
        framed(caller, "transfer-encoding: chunked\r\n", "fffffffffffffffff\r\n{}")
    };
    A_BODY_OVER_THE_LIMIT: "a body that says 10 GB", |caller| {
        let head = caller.head("POST /api/v1/clients", "content-length: 10000000000\r\n");
        vec![SocketAction::Send(head.into_bytes()), quickly(vec![b' '; 0x10000])]
    };
    BRACKETS_TWELVE_MEBIBYTES_DEEP: "12 MiB of opening brackets", |caller| {
        send(caller.post(&"[".repeat(BODY_BYTES - 1)))
    };
    BRACKETS_DEEP_WITHIN_A_CLIENT: "a client's field two million brackets deep", |caller| {
        let deep = format!("\"last_name\": \"Deep\", \"x\": {}{}", "[".repeat(2_000_000), "]".repeat(2_000_000));
        send(caller.post(&client(&deep)))
    };
    OBJECTS_DEEP_WITHIN_A_CLIENT: "a million objects one in the other", |caller| {
        let deep = format!("\"first_name\": {}1{}", "{\"a\":".repeat(1_000_000), "}".repeat(1_000_000));
        send(caller.post(&client(&deep)))
    };
    A_NUMBER_OF_TEN_MILLION_DIGITS: "a number of ten million digits", |caller| {
        send(caller.post(&client(&format!("\"external_id\": {}", "9".repeat(10_000_000)))))
    };
    A_HUGE_EXPONENT: "1e999999999 for a date, a ZIP and an id", |caller| {
        let number = "1e999999999";
        send(caller.post(&client(&format!("\"external_id\": {number}, \"zip\": {number}, \"opened_on\": {number}"))))
    };
    A_MILLION_CLIENTS: "a batch of a million clients", |caller| {
        send(caller.post(&format!("{{\"clients\": [{}{{}}]}}", "{},".repeat(1_000_000))))
    };
    A_MILLION_NAMES: "a client with a million members", |caller| {
        send(caller.post(&client(&format!("{}\"last_name\": \"Many\"", "\"aaaa\":1,".repeat(1_000_000)))))
    };
    A_HEADER_TOO_LARGE: "a header of 1 MB", |caller| {
        send(caller.head("GET /api/v1/me", &format!("x: {}\r\n", "x".repeat(1_000_000))))
    };
    HEADERS_WITHOUT_END: "headers without end", |_| {
        vec![SocketAction::Send(b"GET /api/v1/me HTTP/1.1\r\n".to_vec()), quickly("x: y\r\n".repeat(10_000).into_bytes())]
    };
    TEN_THOUSAND_HEADERS: "10,000 headers", |caller| {
        send(caller.head("GET /api/v1/me", &"x: y\r\n".repeat(10_000)))
    };
    AN_ADDRESS_TOO_LARGE: "an address of 1 MB", |caller| {
        send(caller.head(&format!("GET /api/v1/{}", "x".repeat(1_000_000)), ""))
    };
    MANY_PIPELINED_REQUESTS: "100 requests in one piece", |caller| {
        send(caller.head("GET /api/v1/me", "").repeat(100))
    };
    A_LENGTH_BESIDE_CHUNKS: "smuggling: a length beside chunks", |caller| {
        framed(caller, "content-length: 4\r\ntransfer-encoding: chunked\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    };
    CHUNKS_BESIDE_A_LENGTH: "smuggling: chunks beside a length", |caller| {
        framed(caller, "transfer-encoding: chunked\r\ncontent-length: 45\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    };
    TWO_LENGTHS: "smuggling: two lengths", |caller| {
        framed(caller, "content-length: 2\r\ncontent-length: 47\r\n", &format!("{{}}{SMUGGLED}"))
    };
    A_LIST_OF_LENGTHS: "smuggling: a list of lengths", |caller| {
        framed(caller, "content-length: 2, 47\r\n", &format!("{{}}{SMUGGLED}"))
    };
    A_LENGTH_WITH_A_SIGN: "smuggling: a length with a sign", |caller| {
        framed(caller, "content-length: +2\r\n", &format!("{{}}{SMUGGLED}"))
    };
    A_LENGTH_PAST_ALL_NUMBERS: "smuggling: a length past all numbers", |caller| {
        framed(caller, "content-length: 18446744073709551618\r\n", &format!("{{}}{SMUGGLED}"))
    };
    CHUNKS_THAT_ARE_NOT_THE_LAST_ENCODING: "smuggling: chunks that are not the last encoding", |caller| {
        framed(caller, "transfer-encoding: chunked, identity\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    };
    AN_ENCODING_THAT_NOBODY_KNOWS: "smuggling: an encoding that nobody knows", |caller| {
        framed(caller, "transfer-encoding: xchunked\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    };
    A_SPACE_BEFORE_THE_COLON: "smuggling: a space before the colon", |caller| {
        framed(caller, "content-length : 2\r\n", &format!("{{}}{SMUGGLED}"))
    };
    A_FOLDED_HEADER: "smuggling: a folded header", |caller| {
        framed(caller, "x: y\r\n transfer-encoding: chunked\r\n", &format!("0\r\n\r\n{SMUGGLED}"))
    };
    CHUNKS_IN_HTTP_1_0: "smuggling: chunks in HTTP/1.0", |caller| {
        let head = caller.head("POST /api/v1/clients", "transfer-encoding: chunked\r\n").replace("HTTP/1.1", "HTTP/1.0");
        send(format!("{head}0\r\n\r\n{SMUGGLED}"))
    };
    A_CHUNK_LENGTH_WITH_A_SIGN: "smuggling: a chunk's length with a sign", |caller| {
        framed(caller, "transfer-encoding: chunked\r\n", &format!("+2\r\n{{}}\r\n0\r\n\r\n{SMUGGLED}"))
    };
    A_ZERO_BYTE_IN_A_HEADER: "a zero byte in a header", |caller| {
        send(caller.head("GET /api/v1/me", "x: a\0b\r\n"))
    };
    A_BODY_THAT_SAYS_THAT_IT_IS_COMPRESSED: "a body that says that it is compressed", |caller| {
        let gzip = "content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 20\r\nconnection: close\r\n";
        let mut bytes = caller.head("POST /api/v1/clients", gzip).into_bytes();
        bytes.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0]);
        vec![SocketAction::Send(bytes)]
    };
    ANOTHER_PROTOCOL: "HTTP/2 without asking", |_| send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    TLS_WHERE_THERE_IS_NONE: "TLS where there is none", |_| {
        vec![SocketAction::Send([&[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3], [0_u8; 506].as_slice()].concat())]
    };
}
