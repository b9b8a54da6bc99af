//! Sends many requests over several keep-alive connections as fast as they are answered. One thread polls
//! all connections; a request usually takes one write and one read.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::SocketAddr,
    time::{Duration, Instant},
};

use mio::{Events, Interest, Poll, Token, net::TcpStream};

use super::read_answer;
use crate::{Outcome, place::thread_processor_time};

/// The flood fails after so long without any event.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The size of the read buffer.
const READ_BYTES: usize = 64 * 1_024;

/// The most latencies whose memory is reserved before the clock runs.
const TIMES_RESERVED_MAX: usize = 1 << 20;

/// What to send.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flood<'a> {
    /// The requests in order; after the last one, the first one follows again.
    pub requests: &'a [Vec<u8>],
    /// The number of requests to send.
    pub count: usize,
    /// The number of connections.
    pub connections: usize,
    /// Sends request N over connection N modulo their number. Otherwise an idle connection takes the next
    /// request. When the requests belong to as many accounts in turn, each account keeps one connection.
    pub is_pinned: bool,
    /// Keeps the bodies of the answers.
    pub keeps_bodies: bool,
}

/// The result of a flood. All answers had the status 200.
#[derive(Debug, Default)]
pub struct Sent {
    /// Time from the first byte sent to the last byte received, with all connections open before.
    pub seconds: f64,
    /// Processor time of the sender.
    pub sender_seconds: f64,
    /// The latency of each request, in the order of the answers.
    pub times: Vec<Duration>,
    /// The answers' bodies in the order of the requests, if they are kept.
    pub bodies: Vec<Vec<u8>>,
}

/// Sends all requests.
///
/// # Errors
/// When a connection ends, an answer is not 200, or no answer comes for a minute.
pub fn flood(address: SocketAddr, flood: Flood<'_>) -> Outcome<Sent> {
    let mut poll = Poll::new()?;
    let mut lines = Vec::new();
    for connection in 0..flood.connections {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        poll.registry().register(&mut stream, Token(connection), Interest::READABLE | Interest::WRITABLE)?;
        lines.push(Line {
            stream,
            unsent: &[],
            input: Vec::with_capacity(READ_BYTES),
            connection,
            index: 0,
            began: Instant::now(),
        });
    }
    let mut book = Book { flood, next: (0..flood.connections).collect(), sent: Sent::default() };
    book.sent.times.reserve(flood.count.min(TIMES_RESERVED_MAX));
    book.sent.bodies.resize(if flood.keeps_bodies { flood.count } else { 0 }, Vec::new());
    let processor_before = thread_processor_time();
    let began = Instant::now();
    for line in &mut lines {
        line.begin_next(&mut book)?;
    }
    let mut events = Events::with_capacity(flood.connections.max(8));
    let mut scratch = vec![0; READ_BYTES];
    while book.sent.times.len() < flood.count {
        poll.poll(&mut events, Some(TIMEOUT))?;
        if events.is_empty() {
            return Err("no answer came for a minute".into());
        }
        for event in &events {
            let line = &mut lines[event.token().0];
            if event.is_writable() {
                line.write()?;
            }
            if event.is_readable() {
                line.read(&mut book, &mut scratch)?;
            }
        }
    }
    book.sent.seconds = began.elapsed().as_secs_f64();
    book.sent.sender_seconds = (thread_processor_time() - processor_before).as_secs_f64();
    Ok(book.sent)
}

/// The requests that remain, and the answers so far.
struct Book<'a> {
    flood: Flood<'a>,
    /// The next request of each connection; of the first entry alone, where requests are not pinned.
    next: Vec<usize>,
    sent: Sent,
}

impl Book<'_> {
    /// The number of the next request for a connection; `None` after the last one.
    fn take(&mut self, connection: usize) -> Option<usize> {
        let (place, step) = if self.flood.is_pinned { (connection, self.flood.connections) } else { (0, 1) };
        let index = self.next[place];
        self.next[place] += step;
        (index < self.flood.count).then_some(index)
    }
}

/// One connection.
struct Line<'a> {
    stream: TcpStream,
    /// The part of the request that is not yet written.
    unsent: &'a [u8],
    /// The part of the answer that is read.
    input: Vec<u8>,
    connection: usize,
    index: usize,
    began: Instant,
}

impl<'a> Line<'a> {
    /// Begins the next request, if one remains.
    fn begin_next(&mut self, book: &mut Book<'a>) -> Outcome<()> {
        let Some(index) = book.take(self.connection) else { return Ok(()) };
        self.index = index;
        self.unsent = &book.flood.requests[self.index % book.flood.requests.len()];
        self.began = Instant::now();
        self.write()
    }

    fn write(&mut self) -> Outcome<()> {
        while !self.unsent.is_empty() {
            match self.stream.write(self.unsent) {
                Ok(count) => self.unsent = &self.unsent[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Reads the available bytes. A read that does not fill the buffer has taken all of them, and later
    /// bytes raise another event, so no second read follows.
    fn read(&mut self, book: &mut Book<'a>, scratch: &mut [u8]) -> Outcome<()> {
        loop {
            let count = match self.stream.read(scratch) {
                Ok(0) => return Err("the service closed a connection".into()),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            self.input.extend_from_slice(&scratch[..count]);
            if let Some(answer) = read_answer(&self.input)? {
                let body = &self.input[answer.head_bytes..answer.bytes];
                if answer.status != 200 {
                    return Err(
                        format!("a request was answered {}: {}", answer.status, String::from_utf8_lossy(body)).into()
                    );
                }
                book.sent.times.push(self.began.elapsed());
                if book.flood.keeps_bodies {
                    book.sent.bodies[self.index] = body.to_vec();
                }
                self.input.clear();
                return self.begin_next(book);
            }
            if count < scratch.len() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;
    use crate::load::get;

    /// A server that answers `/N` with N in two pieces and `/no` with 404. On `/connection` it answers the
    /// number of the connection, in the order in which they were accepted.
    fn serve(connections: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().take(connections).enumerate() {
                let mut stream = stream.expect("a connection");
                std::thread::spawn(move || {
                    let mut scratch = [0; 4_096];
                    while let Ok(count @ 1..) = stream.read(&mut scratch) {
                        let head = String::from_utf8_lossy(&scratch[..count]).into_owned();
                        let path = head.split(' ').nth(1).expect("a path").trim_start_matches('/');
                        let path = if path == "connection" { number.to_string() } else { path.to_owned() };
                        let status = if path == "no" { "404 Not Found" } else { "200 OK" };
                        let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n", path.len());
                        let _ = stream.write_all(head.as_bytes());
                        std::thread::sleep(Duration::from_millis(1));
                        let _ = stream.write_all(format!("\r\n{path}").as_bytes());
                    }
                });
            }
        });
        address
    }

    #[test]
    fn each_answer_is_kept_in_the_place_of_its_request() {
        let requests: Vec<_> = (0..7).map(|number| get(&format!("/{number}"), "key")).collect();
        let address = serve(3);
        let sent = flood(
            address,
            Flood { requests: &requests, count: 20, connections: 3, keeps_bodies: true, ..Flood::default() },
        );
        let sent = sent.expect("all were answered");
        let expected: Vec<_> = (0..20).map(|place| (place % 7).to_string().into_bytes()).collect();
        assert_eq!(sent.bodies, expected);
        assert_eq!(sent.times.len(), 20);
        assert!(sent.times.iter().all(|time| *time >= Duration::from_millis(1)));
    }

    #[test]
    fn pinned_requests_keep_to_their_connections() {
        let requests = [get("/connection", "key")];
        let pinned = Flood { requests: &requests, count: 20, connections: 3, is_pinned: true, keeps_bodies: true };
        let sent = flood(serve(3), pinned).expect("all were answered");
        let expected: Vec<_> = (0..20).map(|place| (place % 3).to_string().into_bytes()).collect();
        assert_eq!(sent.bodies, expected);
    }

    #[test]
    fn an_answer_that_is_not_200_ends_it() {
        let requests = [get("/1", "key"), get("/no", "key")];
        let refused = Flood { requests: &requests, count: 4, connections: 1, ..Flood::default() };
        let refused = flood(serve(1), refused);
        assert!(refused.is_err_and(|error| error.to_string().contains("404")));
    }
}
