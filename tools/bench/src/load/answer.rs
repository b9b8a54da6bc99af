//! Reads an HTTP/1.1 answer from the bytes received so far.

/// The maximum number of headers.
const HEADERS_MAX: usize = 32;

/// A complete answer in the bytes that it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// The offset of its body.
    pub head_bytes: usize,
    /// The offset of its end.
    pub bytes: usize,
}

/// The bytes are no HTTP/1.1 answer with a `content-length`. The measured services send it with every answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an answer is not HTTP/1.1 with a content-length")
    }
}

impl std::error::Error for Malformed {}

/// The answer at the start of these bytes; `None` until it is complete.
///
/// # Errors
/// When the bytes are malformed.
///
/// ```
/// use matterbook_bench::load::{Answer, read_answer};
/// let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
/// assert_eq!(read_answer(bytes), Ok(Some(Answer { status: 200, head_bytes: 38, bytes: 40 })));
/// assert_eq!(read_answer(&bytes[..39]), Ok(None));
/// ```
pub fn read_answer(bytes: &[u8]) -> Result<Option<Answer>, Malformed> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head_bytes) = head.parse(bytes).map_err(|_| Malformed)? else { return Ok(None) };
    let length = head.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length: usize = length
        .and_then(|header| std::str::from_utf8(header.value).ok())
        .and_then(|text| text.parse().ok())
        .ok_or(Malformed)?;
    let answer = Answer { status: head.code.ok_or(Malformed)?, head_bytes, bytes: head_bytes + length };
    Ok((answer.bytes <= bytes.len()).then_some(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_once_all_of_it_came() {
        let bytes = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 3\r\ncontent-length: 5\r\n\r\nabcde";
        for length in 0..bytes.len() {
            assert_eq!(read_answer(&bytes[..length]), Ok(None), "{length}");
        }
        let whole = read_answer(bytes).expect("an answer").expect("whole");
        assert_eq!((whole.status, &bytes[whole.head_bytes..whole.bytes]), (429, &b"abcde"[..]));
    }

    #[test]
    fn what_follows_belongs_to_the_next_answer() {
        let bytes = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 500";
        assert_eq!(read_answer(bytes), Ok(Some(Answer { status: 200, head_bytes: 38, bytes: 38 })));
    }

    #[test]
    fn answers_of_unknown_length_are_refused() {
        for bytes in [
            &b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n",
            b"SSH-2.0-server\r\n",
        ] {
            assert_eq!(read_answer(bytes), Err(Malformed), "{}", String::from_utf8_lossy(bytes));
        }
    }
}
