//! The bytes of a connection on their way to hyper, which takes a bare line feed for the end of a line of a
//! head. A proxy in front may not, and then the two read different requests (rule H29).
//!
//! hyper gets one head at a time, so that it is known which bytes are a head. In a head, a bare line feed is
//! handed over as a zero byte, which hyper refuses. Bodies are handed over as they are.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use http::Request;
use hyper::body::Body;
use memchr::memchr;
use parking_lot::Mutex;
use tokio::io::{AsyncBufRead as _, AsyncRead, AsyncWrite, BufReader, ReadBuf};

/// What the next byte of a connection belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// A head.
    Head(Line),
    /// A body, of which so many bytes are left.
    Sized(u64),
    /// A body in chunks.
    Chunked(Chunk),
}

/// A line of a head or of trailers, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    has_text: bool,
    ends_with_return: bool,
}

/// A part of a body in chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chunk {
    /// Within the digits of a chunk's size.
    Size(u64),
    /// Within the rest of the line, after its size.
    Extension(u64),
    /// Within a chunk's data and the line's end after it, so many bytes before their end.
    Data(u64),
    /// Within the trailers.
    Trailers(Line),
}

impl Framing {
    const START: Self = Self::Head(Line { has_text: false, ends_with_return: false });

    /// What follows the head of a request.
    pub(super) fn after<B: Body>(request: &Request<B>) -> Self {
        match request.body().size_hint().exact() {
            Some(0) => Self::START,
            Some(bytes) => Self::Sized(bytes),
            None => Self::Chunked(Chunk::Size(0)),
        }
    }

    /// Copies bytes up to the end of a head or a body at most. Returns how many.
    fn copy(&mut self, bytes: &[u8], buffer: &mut ReadBuf<'_>) -> usize {
        let bytes = bytes.get(..buffer.remaining()).unwrap_or(bytes);
        let mut count = 0;
        while let Some(rest) = bytes.get(count..).filter(|rest| !rest.is_empty()) {
            let skipped = rest.get(..self.skip(rest)).unwrap_or_default();
            buffer.put_slice(skipped);
            count += skipped.len();
            let Some(byte) = rest.get(skipped.len()) else { break };
            let is_bare = matches!(self, Self::Head(line) if *byte == b'\n' && !line.ends_with_return);
            buffer.put_slice(&[if is_bare { 0 } else { *byte }]);
            count += 1;
            if self.advance(*byte) {
                break;
            }
        }
        count
    }

    /// Passes over a line of a head or of trailers up to its line feed, or over the data of a body but its last byte.
    /// Returns how many bytes.
    fn skip(&mut self, bytes: &[u8]) -> usize {
        match self {
            Self::Head(line) | Self::Chunked(Chunk::Trailers(line)) => line.skip(bytes),
            Self::Sized(left) | Self::Chunked(Chunk::Data(left)) => {
                let count = bytes.len().min(usize::try_from(left.saturating_sub(1)).unwrap_or(usize::MAX));
                *left = left.saturating_sub(count as u64);
                count
            }
            Self::Chunked(_) => 0,
        }
    }

    /// Whether a head or a body ends with this byte.
    fn advance(&mut self, byte: u8) -> bool {
        let is_end = match self {
            Self::Head(line) => return line.end(),
            Self::Sized(left) => {
                *left = left.saturating_sub(1);
                *left == 0
            }
            Self::Chunked(chunk) => chunk.advance(byte),
        };
        if is_end {
            *self = Self::START;
        }
        is_end
    }
}

impl Line {
    /// Passes over the bytes before a line feed. Returns how many.
    fn skip(&mut self, bytes: &[u8]) -> usize {
        let count = memchr(b'\n', bytes).unwrap_or(bytes.len());
        let text = bytes.get(..count).unwrap_or_default();
        if let Some(last) = text.last() {
            self.has_text |= text.iter().any(|byte| *byte != b'\r');
            self.ends_with_return = *last == b'\r';
        }
        count
    }

    /// Passes over its line feed. Whether it was the empty line at the end.
    fn end(&mut self) -> bool {
        let is_end = !self.has_text;
        *self = Self::default();
        is_end
    }
}

impl Chunk {
    /// Whether the body ends with this byte. Of a malformed body it does not matter: hyper refuses it.
    fn advance(&mut self, byte: u8) -> bool {
        *self = match (*self, byte) {
            (Self::Size(0) | Self::Extension(0), b'\n') => Self::Trailers(Line::default()),
            // The line's end after the data counts as data.
            (Self::Size(bytes) | Self::Extension(bytes), b'\n') => Self::Data(bytes.saturating_add(2)),
            (Self::Size(bytes), digit) => match char::from(digit).to_digit(16) {
                Some(digit) => Self::Size(bytes.saturating_mul(16).saturating_add(digit.into())),
                None => Self::Extension(bytes),
            },
            (Self::Extension(bytes), _) => Self::Extension(bytes),
            (Self::Data(1), _) => Self::Size(0),
            (Self::Data(bytes), _) => Self::Data(bytes.saturating_sub(1)),
            (Self::Trailers(mut line), _) => {
                if line.end() {
                    return true;
                }
                Self::Trailers(line)
            }
        };
        false
    }
}

/// A stream whose reader gets one head or body at a time.
pub(super) struct RequestReader<S> {
    stream: BufReader<S>,
    framing: Arc<Mutex<Framing>>,
}

impl<S: AsyncRead> RequestReader<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream: BufReader::new(stream), framing: Arc::new(Mutex::new(Framing::START)) }
    }

    /// What the next byte belongs to. Whoever reads a head sets what follows it, before the next read.
    pub(super) fn framing(&self) -> Arc<Mutex<Framing>> {
        Arc::clone(&self.framing)
    }

    pub(super) fn into_inner(self) -> S {
        self.stream.into_inner()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for RequestReader<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, framing } = &mut *self;
        let mut framing = framing.lock();
        if let Framing::Sized(left) = *framing
            && stream.buffer().is_empty()
        {
            // A large body is read to where it is wanted.
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.remaining());
            let mut part = ReadBuf::new(buffer.initialize_unfilled_to(most));
            ready!(Pin::new(stream.get_mut()).poll_read(context, &mut part))?;
            let count = part.filled().len();
            buffer.advance(count);
            let left = left.saturating_sub(count as u64);
            *framing = if left == 0 { Framing::START } else { Framing::Sized(left) };
            return Poll::Ready(Ok(()));
        }
        let mut stream = Pin::new(stream);
        let bytes = ready!(stream.as_mut().poll_fill_buf(context))?;
        let count = framing.copy(bytes, buffer);
        stream.consume(count);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for RequestReader<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    const HEAD: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

    /// The parts that are handed over of these bytes; each part is followed by what the framing becomes.
    async fn parts(bytes: &str, after: &[Option<Framing>]) -> Vec<String> {
        let mut reader = RequestReader::new(bytes.as_bytes());
        let mut parts = Vec::new();
        for framing in after {
            let mut part = [0; 256];
            let count = reader.read(&mut part).await.expect("bytes");
            parts.push(String::from_utf8_lossy(&part[..count]).into_owned());
            if let Some(framing) = framing {
                *reader.framing.lock() = *framing;
            }
        }
        parts
    }

    #[tokio::test]
    async fn heads_are_handed_over_one_by_one() {
        let two = format!("{HEAD}{HEAD}");
        assert_eq!(parts(&two, &[None; 3]).await, [HEAD, HEAD, ""]);
    }

    #[tokio::test]
    async fn a_bare_line_feed_in_a_head_becomes_a_zero_byte() {
        for (head, read) in [
            ("GET / HTTP/1.1\nhost: a\r\n\r\n", "GET / HTTP/1.1\0host: a\r\n\r\n"),
            ("GET / HTTP/1.1\r\nhost: a\nx: y\r\n\r\n", "GET / HTTP/1.1\r\nhost: a\0x: y\r\n\r\n"),
            ("GET / HTTP/1.1\r\nhost: a\r\n\n", "GET / HTTP/1.1\r\nhost: a\r\n\0"),
        ] {
            assert_eq!(parts(head, &[None]).await, [read]);
        }
    }

    #[tokio::test]
    async fn a_head_that_comes_in_two_parts_is_read_as_one_that_comes_whole() {
        for (head, read) in
            [(HEAD, HEAD), ("GET / HTTP/1.1\r\nhost: a\n\r\r\n\r\n", "GET / HTTP/1.1\r\nhost: a\0\r\r\n\r\n")]
        {
            for split in 0..=head.len() {
                let (first, second) = head.as_bytes().split_at(split);
                let mut reader = RequestReader::new(first.chain(second));
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).await.expect("bytes");
                assert_eq!(String::from_utf8_lossy(&bytes), read, "split at {split}");
            }
        }
    }

    #[tokio::test]
    async fn bodies_are_handed_over_as_they_are_and_the_head_after_them_is_checked() {
        let chunks = "5;x=\"a\"\r\na\nb\r\n\r\n1F\r\n0123456789012345678901234567890\r\n0\r\nt: r\r\n\r\n";
        for (body, framing) in [("a\nb\n", Framing::Sized(4)), (chunks, Framing::Chunked(Chunk::Size(0)))] {
            let bytes = format!("{HEAD}{body}GET /\n");
            assert_eq!(parts(&bytes, &[Some(framing), None, None]).await, [HEAD, body, "GET /\0"], "{body:?}");
        }
    }
}
