//! One keep-alive connection with one request at a time.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

use super::{Answer, read_answer, send};
use crate::Outcome;

/// An answer may take so long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A keep-alive connection.
pub struct Channel {
    stream: TcpStream,
    input: Vec<u8>,
}

impl Channel {
    /// Connects.
    ///
    /// # Errors
    /// When the connection is refused.
    pub fn open(address: SocketAddr) -> Outcome<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        Ok(Self { stream, input: Vec::new() })
    }

    /// Sends a request and reads its answer, whose bytes [`Channel::bytes`] returns.
    ///
    /// # Errors
    /// When the connection ends, or the answer is malformed.
    pub fn exchange(&mut self, request: &[u8]) -> Outcome<Answer> {
        self.stream.write_all(request)?;
        self.input.clear();
        let mut scratch = [0; 64 * 1_024];
        loop {
            let count = self.stream.read(&mut scratch)?;
            if count == 0 {
                return Err("the connection ended before its answer".into());
            }
            self.input.extend_from_slice(&scratch[..count]);
            if let Some(answer) = read_answer(&self.input)? {
                return Ok(answer);
            }
        }
    }

    /// The bytes of the last answer.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.input
    }

    /// Sends a request whose answer must be 200; returns the answer's body.
    ///
    /// # Errors
    /// When it has another status.
    pub fn answer(&mut self, request: &[u8]) -> Outcome<Vec<u8>> {
        let answer = self.exchange(request)?;
        let body = &self.input[answer.head_bytes..answer.bytes];
        if answer.status != 200 {
            return Err(format!("a request was answered {}: {}", answer.status, String::from_utf8_lossy(body)).into());
        }
        Ok(body.to_vec())
    }

    /// Sends JSON and reads the JSON of the answer, whose status must be 200.
    ///
    /// # Errors
    /// When it has another status.
    pub fn ask(&mut self, method: &str, path: &str, token: &str, body: &Value) -> Outcome<Value> {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        Ok(serde_json::from_slice(&self.answer(&send(method, path, token, &body))?)?)
    }
}
