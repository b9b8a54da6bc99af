//! Many callers that read their answers slowly, each over a connection of its own.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How many of them share a thread.
const PER_THREAD: usize = 100;
/// How long one waits for a connection.
const PATIENCE: Duration = Duration::from_millis(200);

/// Callers that ask again and again, read slowly, and connect again when they are cut off.
///
/// ```
/// use matterbook_conformance::hostile::SlowReaders;
///
/// let readers = SlowReaders { count: 900, bytes_per_second: 4_096, request: String::new(), requests: 8 };
/// assert!(readers.count > 768);
/// ```
#[derive(Clone, Debug)]
pub struct SlowReaders {
    /// How many there are.
    pub count: usize,
    /// How much each of them reads.
    pub bytes_per_second: usize,
    /// What each of them asks.
    pub request: String,
    /// How many of these requests each of them sends in one piece.
    pub requests: usize,
}

impl SlowReaders {
    /// Reads until `is_over`. Returns how many connections the service took, all together.
    pub fn run(&self, address: SocketAddr, is_over: &AtomicBool) -> usize {
        let connections = AtomicUsize::new(0);
        thread::scope(|scope| {
            for begin in (0..self.count).step_by(PER_THREAD) {
                let readers = PER_THREAD.min(self.count - begin);
                let connections = &connections;
                scope.spawn(move || {
                    let mut reading: VecDeque<Reader> = (0..readers).map(|_| Reader::default()).collect();
                    let step = Duration::from_secs(1) / u32::try_from(readers).unwrap_or(u32::MAX);
                    while !is_over.load(Ordering::Relaxed) {
                        let began = Instant::now();
                        if let Some(mut reader) = reading.pop_front() {
                            reader.go(self, address, connections);
                            reading.push_back(reader);
                        }
                        thread::sleep(step.saturating_sub(began.elapsed()));
                    }
                });
            }
        });
        connections.into_inner()
    }
}

#[derive(Default)]
struct Reader {
    stream: Option<TcpStream>,
}

impl Reader {
    /// Its part of one second: it reads, or connects again.
    fn go(&mut self, readers: &SlowReaders, address: SocketAddr, connections: &AtomicUsize) {
        if let Some(stream) = &mut self.stream {
            let mut part = vec![0; readers.bytes_per_second];
            match stream.read(&mut part) {
                Ok(1..) => return,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Ok(_) | Err(_) => self.stream = None,
            }
        }
        let Ok(mut stream) = TcpStream::connect_timeout(&address, PATIENCE) else { return };
        let is_sent = stream.write_all(readers.request.repeat(readers.requests).as_bytes()).is_ok();
        if is_sent && stream.set_nonblocking(true).is_ok() {
            connections.fetch_add(1, Ordering::Relaxed);
            self.stream = Some(stream);
        }
    }
}
