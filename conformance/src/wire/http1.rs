//! One HTTP/1.1 exchange, written by hand, because cases send what a library would mend or
//! refuse: malformed targets, unfinished bodies, heads without the bodies they announce.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Shutdown, TcpStream},
};

use http::{HeaderMap, HeaderName, HeaderValue};

use super::{Body, Request};

/// The bytes of a request.
pub fn write(request: &Request, host: &str, root: &str) -> Vec<u8> {
    let named = request.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("host"));
    let host = named.map_or(host, |(_, value)| value);
    let mut head =
        format!("{} {root}{} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n", request.method, request.target);
    for (name, value) in request.headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let length = match &request.body {
        Body::None => None,
        Body::Whole(bytes) => Some(bytes.len()),
        Body::Chunked(_) => {
            head.push_str("Transfer-Encoding: chunked\r\n");
            None
        }
        Body::Withheld { length } | Body::Stalled { length, .. } => Some(*length),
    };
    if let Some(length) = length {
        head.push_str(&format!("Content-Length: {length}\r\n"));
    }
    let mut bytes = format!("{head}\r\n").into_bytes();
    match &request.body {
        Body::None | Body::Withheld { .. } => {}
        Body::Whole(body) | Body::Stalled { begun: body, .. } => bytes.extend_from_slice(body),
        Body::Chunked(body) => {
            // Small chunks first, so that the ends of chunks fall inside words; then large ones.
            let (start, rest) = body.split_at(body.len().min(21));
            for chunk in start.chunks(7).chain(rest.chunks(64 * 1024)) {
                bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
                bytes.extend_from_slice(chunk);
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(b"0\r\n\r\n");
        }
    }
    bytes
}

/// Sends the bytes and reads the answer up to the end of the connection. Sending and reading go
/// on at once: an answer may come before the body is through.
pub fn exchange(stream: &TcpStream, bytes: &[u8], to_head: bool) -> Result<(u16, HeaderMap, Vec<u8>), String> {
    std::thread::scope(|scope| {
        let mut writing = stream;
        if bytes.len() > 32 * 1024 {
            // A failure to send is seen by the reader: there is an answer nevertheless, or none.
            scope.spawn(move || writing.write_all(bytes));
        } else {
            writing.write_all(bytes).map_err(|error| format!("the request was not taken: {error}"))?;
        }
        // What follows an answer to HEAD shows only at the end of the connection, which some hosts leave open
        // for seconds unless the caller has ended its side.
        let answer = read(stream, to_head, || {
            let _ = stream.shutdown(Shutdown::Write);
        });
        // Ends a writer that is still at it, now that the answer is here.
        let _ = stream.shutdown(Shutdown::Both);
        answer
    })
}

/// The same over a stream that cannot be read and written at once, such as one with TLS.
pub fn exchange_in_turn(
    mut stream: impl Read + Write,
    bytes: &[u8],
    to_head: bool,
) -> Result<(u16, HeaderMap, Vec<u8>), String> {
    // A failure to send is seen when reading: there is an answer nevertheless, or none.
    let _ = stream.write_all(bytes).and_then(|()| stream.flush());
    read(stream, to_head, || {})
}

/// Reads the answer; `to_end` is done when the head of an answer to HEAD is there.
fn read(mut stream: impl Read, to_head: bool, to_end: impl FnOnce()) -> Result<(u16, HeaderMap, Vec<u8>), String> {
    let mut to_end = Some(to_end).filter(|_| to_head);
    let mut received = Vec::new();
    let mut buffer = [0_u8; 16 * 1024];
    loop {
        if let Some(answer) = parse(&received, to_head, false)? {
            return Ok(answer);
        }
        if received.windows(4).any(|bytes| bytes == b"\r\n\r\n")
            && let Some(to_end) = to_end.take()
        {
            to_end();
        }
        match stream.read(&mut buffer) {
            Ok(0) => break,
            // The end of a TLS connection that was not announced.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Ok(count) => received.extend(buffer.iter().take(count)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(format!("no whole answer in time; {} bytes came", received.len()));
            }
            Err(error) => return Err(format!("the connection broke: {error}; {} bytes came", received.len())),
        }
    }
    parse(&received, to_head, true)?
        .ok_or_else(|| format!("the connection ended within the answer, after {} bytes", received.len()))
}

/// The answer in `received`, if it is whole. `ended` says that nothing follows.
fn parse(received: &[u8], to_head: bool, ended: bool) -> Result<Option<(u16, HeaderMap, Vec<u8>)>, String> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Response::new(&mut fields);
    let parsed = head.parse(received).map_err(|error| format!("not an HTTP answer: {error}"))?;
    let httparse::Status::Complete(head_length) = parsed else { return Ok(None) };
    let rest = received.get(head_length..).unwrap_or_default();
    let status = head.code.unwrap_or_default();
    if (100..200).contains(&status) {
        return parse(rest, to_head, ended);
    }
    let mut headers = HeaderMap::new();
    for field in head.headers.iter() {
        let name = HeaderName::from_bytes(field.name.as_bytes()).map_err(|error| error.to_string())?;
        let value = HeaderValue::from_bytes(field.value).map_err(|error| error.to_string())?;
        headers.append(name, value);
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let body = if to_head {
        // Only the end of the connection shows that no body follows.
        ended.then(|| rest.to_vec())
    } else if text("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        unchunk(rest)?
    } else if let Some(length) = text("content-length").and_then(|value| value.parse::<usize>().ok()) {
        rest.get(..length).map(<[u8]>::to_vec)
    } else {
        ended.then(|| rest.to_vec())
    };
    Ok(body.map(|body| (status, headers, body)))
}

/// The body in these chunks, if the last one is there.
fn unchunk(mut rest: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let mut body = Vec::new();
    loop {
        let size = httparse::parse_chunk_size(rest).map_err(|_| "a malformed chunk".to_owned())?;
        let httparse::Status::Complete((start, size)) = size else { return Ok(None) };
        if size == 0 {
            return Ok(Some(body));
        }
        let size = usize::try_from(size).map_err(|error| error.to_string())?;
        let Some(chunk) = rest.get(start..start + size) else { return Ok(None) };
        body.extend_from_slice(chunk);
        rest = rest.get(start + size + 2..).unwrap_or_default();
    }
}
