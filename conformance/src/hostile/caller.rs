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
    /// The session of somebody who is signed in to the console; empty where there is none.
    pub session: String,
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

    /// The head of a request to the console with the session; `more` are lines of the head.
    #[must_use]
    pub fn console_head(&self, line: &str, more: &str) -> String {
        format!("{line} HTTP/1.1\r\nhost: localhost\r\ncookie: __Host-matterbook={}\r\n{more}\r\n", self.session)
    }

    /// The session that a sign-in link begins; `None` where it begins none.
    #[must_use]
    pub fn sign_in(&self, link: &str) -> Option<String> {
        let (_, token) = link.split_once("/app/link/")?;
        let lines = "sec-fetch-site: same-origin\r\ncontent-length: 0\r\nconnection: close\r\n";
        let answer = self.ask(&self.console_head(&format!("POST /app/link/{token}"), lines))?;
        let (_, rest) = answer.split_once("__Host-matterbook=")?;
        rest.split_once(';').map(|(session, _)| session.to_owned())
    }

    /// How long an honest caller waits for `GET /me` on a connection of its own; `None` where it is not
    /// served.
    #[must_use]
    pub fn ask_me(&self) -> Option<Duration> {
        let began = Instant::now();
        let answer = self.ask(&self.head("GET /api/v1/me", "connection: close\r\n"))?;
        answer.starts_with("HTTP/1.1 200 ").then(|| began.elapsed())
    }

    /// The whole answer to a request on a connection of its own.
    fn ask(&self, request: &str) -> Option<String> {
        let mut stream = self.connect().ok()?;
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = Vec::new();
        let mut space = [0; 4 * 1_024];
        loop {
            let text = String::from_utf8_lossy(&answer);
            if is_whole(&text) {
                return Some(text.into_owned());
            }
            let count = stream.read(&mut space).ok().filter(|count| *count > 0)?;
            answer.extend(space.iter().take(count));
        }
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
