//! Many requests over several kept connections, as quick as they are answered: one thread that asks the
//! system which connections have something, with one write and one read a request where that does.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::SocketAddr,
    time::{Duration, Instant},
};

use mio::{Events, Interest, Poll, Token, net::TcpStream};

use super::read_answer;
use crate::{Outcome, place::thread_processor_time};

/// How long nothing at all may come.
const PATIENCE: Duration = Duration::from_secs(60);
/// What is read at once, if so much is there.
const READ_BYTES: usize = 64 * 1_024;

/// Of how many requests the times have room before the clock runs.
const TIMES_AT_FIRST: usize = 1 << 20;

/// What to send.
#[derive(Clone, Copy, Debug)]
pub struct Flood<'a> {
    /// The requests; sent in this order, and again from the first one on.
    pub requests: &'a [Vec<u8>],
    /// How many to send in all.
    pub count: usize,
    /// Over how many connections.
    pub connections: usize,
    /// Whether the answers' bodies are kept.
    pub keeps_bodies: bool,
}

/// What came of it. All answers were 200.
#[derive(Debug, Default)]
pub struct Sent {
    /// From the first byte to the last, all connections being open already.
    pub seconds: f64,
    /// What the sending itself took of a processor.
    pub sender_seconds: f64,
    /// From a request's first byte to its answer's last, in the order of the answers.
    pub times: Vec<Duration>,
    /// The answers' bodies in the order of the requests, if they are kept.
    pub bodies: Vec<Vec<u8>>,
}

/// Sends them all.
///
/// # Errors
/// When a connection ends or an answer is not 200.
pub fn flood(address: SocketAddr, flood: Flood<'_>) -> Outcome<Sent> {
    let mut poll = Poll::new()?;
    let mut lines = Vec::new();
    for place in 0..flood.connections {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        poll.registry().register(&mut stream, Token(place), Interest::READABLE | Interest::WRITABLE)?;
        lines.push(Line {
            stream,
            unsent: &[],
            input: Vec::with_capacity(READ_BYTES),
            index: 0,
            began: Instant::now(),
        });
    }
    let mut book = Book { flood, next: 0, sent: Sent::default() };
    book.sent.times.reserve(flood.count.min(TIMES_AT_FIRST));
    book.sent.bodies.resize(if flood.keeps_bodies { flood.count } else { 0 }, Vec::new());
    let processor_before = thread_processor_time();
    let began = Instant::now();
    for line in &mut lines {
        line.begin_next(&mut book)?;
    }
    let mut events = Events::with_capacity(flood.connections.max(8));
    let mut room = vec![0; READ_BYTES];
    while book.sent.times.len() < flood.count {
        poll.poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            return Err("no answer came for a minute".into());
        }
        for event in &events {
            let line = &mut lines[event.token().0];
            if event.is_writable() {
                line.write()?;
            }
            if event.is_readable() {
                line.read(&mut book, &mut room)?;
            }
        }
    }
    book.sent.seconds = began.elapsed().as_secs_f64();
    book.sent.sender_seconds = (thread_processor_time() - processor_before).as_secs_f64();
    Ok(book.sent)
}

/// What is sent, and what came.
struct Book<'a> {
    flood: Flood<'a>,
    next: usize,
    sent: Sent,
}

/// One connection.
struct Line<'a> {
    stream: TcpStream,
    /// What is left of the request.
    unsent: &'a [u8],
    /// What came of its answer.
    input: Vec<u8>,
    index: usize,
    began: Instant,
}

impl<'a> Line<'a> {
    /// Begins the next request, if one is left.
    fn begin_next(&mut self, book: &mut Book<'a>) -> Outcome<()> {
        if book.next == book.flood.count {
            return Ok(());
        }
        self.index = book.next;
        book.next += 1;
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

    /// Reads what is there. A read that filled less than its room took all of it: more comes with
    /// another event, so it is not asked for.
    fn read(&mut self, book: &mut Book<'a>, room: &mut [u8]) -> Outcome<()> {
        loop {
            let count = match self.stream.read(room) {
                Ok(0) => return Err("the service closed a connection".into()),
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            self.input.extend_from_slice(&room[..count]);
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
            if count < room.len() {
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

    /// A server whose answer to `/N` is N, in two pieces; to `/no`, a 404. It ends with its connections.
    fn serve(connections: usize) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            for stream in listener.incoming().take(connections) {
                let mut stream = stream.expect("a connection");
                std::thread::spawn(move || {
                    let mut room = [0; 4_096];
                    while let Ok(count @ 1..) = stream.read(&mut room) {
                        let head = String::from_utf8_lossy(&room[..count]).into_owned();
                        let path = head.split(' ').nth(1).expect("a path").trim_start_matches('/').to_owned();
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
        let sent = flood(address, Flood { requests: &requests, count: 20, connections: 3, keeps_bodies: true });
        let sent = sent.expect("all were answered");
        let expected: Vec<_> = (0..20).map(|place| (place % 7).to_string().into_bytes()).collect();
        assert_eq!(sent.bodies, expected);
        assert_eq!(sent.times.len(), 20);
        assert!(sent.times.iter().all(|time| *time >= Duration::from_millis(1)));
    }

    #[test]
    fn an_answer_that_is_not_200_ends_it() {
        let requests = [get("/1", "key"), get("/no", "key")];
        let refused = flood(serve(1), Flood { requests: &requests, count: 4, connections: 1, keeps_bodies: false });
        assert!(refused.is_err_and(|error| error.to_string().contains("404")));
    }
}
