//! Bare sockets: one thread reads each request and writes as many bytes as the service answers.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::SocketAddr,
    process::Command,
};

use mio::{
    Events, Interest, Poll, Token,
    net::{TcpListener, TcpStream},
};

use crate::{Outcome, place::Process, service::address_of};

const LISTENER: Token = Token(usize::MAX);
/// The maximum number of headers.
const HEADERS_MAX: usize = 16;

/// A handle to the process.
pub struct BareSockets {
    /// Its process.
    pub process: Process,
    /// Its address.
    pub address: SocketAddr,
}

impl BareSockets {
    /// Starts it; the body of each answer has so many bytes.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(answer_bytes: usize) -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare-sockets").arg(answer_bytes.to_string());
        let mut process = Process::start(&mut command)?;
        let address = address_of(&process.line()?)?;
        Ok(Self { process, address })
    }
}

/// The process itself: answers until it is killed.
///
/// # Errors
/// When it cannot listen.
pub fn serve_sockets(answer_bytes: usize) -> Outcome<()> {
    let mut listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
    println!("http://{}/", listener.local_addr()?);
    let mut answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {answer_bytes}\r\n\r\n").into_bytes();
    answer.resize(answer.len() + answer_bytes, b' ');
    let mut poll = Poll::new()?;
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    let mut lines: Vec<Option<Line>> = Vec::new();
    let mut events = Events::with_capacity(256);
    let mut scratch = vec![0; 256 * 1_024];
    loop {
        poll.poll(&mut events, None)?;
        for event in &events {
            if event.token() == LISTENER {
                while let Ok((mut stream, _)) = listener.accept() {
                    stream.set_nodelay(true)?;
                    let interest = Interest::READABLE | Interest::WRITABLE;
                    poll.registry().register(&mut stream, Token(lines.len()), interest)?;
                    lines.push(Some(Line { stream, input: Vec::new(), unsent: 0 }));
                }
                continue;
            }
            let place = event.token().0;
            let is_open = lines[place].as_mut().is_none_or(|line| line.go_on(&answer, &mut scratch).is_ok());
            if !is_open {
                lines[place] = None;
            }
        }
    }
}

struct Line {
    stream: TcpStream,
    input: Vec<u8>,
    /// Bytes of the answer that are not yet written.
    unsent: usize,
}

impl Line {
    fn go_on(&mut self, answer: &[u8], scratch: &mut [u8]) -> Outcome<()> {
        self.write(answer)?;
        loop {
            let count = match self.stream.read(scratch) {
                Ok(0) => return Err("the connection ended".into()),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            // A complete request is not copied.
            let is_first = self.input.is_empty();
            let is_whole = if is_first {
                is_request(&scratch[..count])?
            } else {
                self.input.extend_from_slice(&scratch[..count]);
                is_request(&self.input)?
            };
            if is_whole {
                self.input.clear();
                self.unsent = answer.len();
                self.write(answer)?;
            } else if is_first {
                self.input.extend_from_slice(&scratch[..count]);
            }
            if count < scratch.len() {
                return Ok(());
            }
        }
    }

    fn write(&mut self, answer: &[u8]) -> Outcome<()> {
        while self.unsent > 0 {
            match self.stream.write(&answer[answer.len() - self.unsent..]) {
                Ok(count) => self.unsent -= count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Whether these bytes are a complete request.
fn is_request(bytes: &[u8]) -> Outcome<bool> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut head = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head_bytes) = head.parse(bytes)? else { return Ok(false) };
    let length = head.headers.iter().find(|header| header.name == "content-length");
    let length: usize = length.map_or(Ok(0), |header| {
        std::str::from_utf8(header.value)?.parse::<usize>().map_err(Box::<dyn std::error::Error + Send + Sync>::from)
    })?;
    Ok(head_bytes + length <= bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{get, post};

    #[test]
    fn a_request_is_whole_with_its_last_byte() {
        for request in [get("/api/v1/me", "key"), post("/api/v1/clients", "key", b"{\"clients\":[]}")] {
            for length in 0..request.len() {
                assert!(!is_request(&request[..length]).expect("the beginning of a request"), "{length}");
            }
            assert!(is_request(&request).expect("a request"));
        }
    }
}
