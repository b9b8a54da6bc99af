//! Who sends, and where to.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

/// The caller of a service, with a key that is live.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Where the service answers.
    pub address: SocketAddr,
    /// The key of an account.
    pub key: String,
    /// For how long an answer or an end is waited for.
    pub patience: Duration,
    /// How long an honest caller pauses between two requests.
    pub pause: Duration,
}

impl Caller {
    /// A connection of its own.
    ///
    /// # Errors
    /// When the service takes no connection.
    pub fn connect(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(self.patience))?;
        stream.set_write_timeout(Some(self.patience))?;
        Ok(stream)
    }

    /// The head of a request with the key; `more` are lines of the head.
    #[must_use]
    pub fn head(&self, line: &str, more: &str) -> String {
        format!("{line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\n{more}\r\n", self.key)
    }

    /// A post of clients with a body of its length.
    #[must_use]
    pub fn post(&self, body: &str) -> String {
        let length =
            format!("content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
        self.head("POST /api/v1/clients", &length) + body
    }

    /// How long an honest caller waits for `GET /me` on a connection of its own; `None` where it is not
    /// served.
    #[must_use]
    pub fn ask_me(&self) -> Option<Duration> {
        let began = Instant::now();
        let mut stream = self.connect().ok()?;
        stream.write_all(self.head("GET /api/v1/me", "connection: close\r\n").as_bytes()).ok()?;
        let mut answer = Vec::new();
        let mut space = [0; 4 * 1_024];
        while !is_whole(&String::from_utf8_lossy(&answer)) {
            let count = stream.read(&mut space).ok().filter(|count| *count > 0)?;
            answer.extend(space.iter().take(count));
        }
        answer.starts_with(b"HTTP/1.1 200 ").then(|| began.elapsed())
    }
}

/// Whether an answer is there up to the end of its body. Some hosts leave the connection open after it.
fn is_whole(answer: &str) -> bool {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { return false };
    let length = head.to_ascii_lowercase().split_once("\r\ncontent-length: ").and_then(|(_, rest)| {
        let digits = rest.split("\r\n").next()?;
        digits.parse::<usize>().ok()
    });
    length.is_some_and(|length| body.len() >= length)
}
