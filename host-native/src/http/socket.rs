//! A connection's socket: an answer that nobody reads does not hold it, and an answer is not lost
//! because its caller was still sending.
//!
//! A socket that is closed while bytes wait in it unread makes the system send a reset, which
//! discards the answer on its way. So after the last answer our half is closed, and what still
//! comes in is read away, for a bounded time and size.

use std::{
    future::Future as _,
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep},
};

use super::{limits::Limits, raw};
use crate::metrics::RequestMetrics;

/// A short answer's head and body are sent as one: the system takes longer for two than copying takes.
const JOINED_BYTES: usize = 1_024;

/// A socket with its time limits.
pub(super) struct Socket {
    stream: TcpStream,
    limits: Limits,
    metrics: Arc<RequestMetrics>,
    /// Everything that came in belongs to requests that were read whole.
    is_settled: Arc<AtomicBool>,
    write_stall: Option<Pin<Box<Sleep>>>,
    closing: Option<Closing>,
    /// What is written in place of a refusal of the HTTP parser: the bytes, and how many are sent.
    replacement: Option<(Vec<u8>, usize)>,
}

/// Our half is closed; the rest is being read away.
struct Closing {
    deadline: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, limits: Limits, metrics: Arc<RequestMetrics>) -> Self {
        // Answers are whole messages: sending them at once costs nothing.
        let _ = stream.set_nodelay(true);
        Self {
            stream,
            limits,
            metrics,
            is_settled: Arc::new(AtomicBool::new(true)),
            write_stall: None,
            closing: None,
            replacement: None,
        }
    }

    /// To be set when a request was read whole; reading unsets it.
    pub(super) fn settled(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_settled)
    }

    /// Fails a write that has made no progress for too long.
    fn within_write_time<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.write_stall = None;
            return written;
        }
        let timeout = self.limits.write_timeout;
        let stall = self.write_stall.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(stall.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Writes our form of a refusal in place of the parser's, then says that the parser's is sent.
    fn write_replacement(&mut self, context: &mut Context<'_>, replaced_bytes: usize) -> Poll<io::Result<usize>> {
        while let Some((bytes, sent)) = &mut self.replacement {
            let rest = bytes.get(*sent..).unwrap_or_default();
            if rest.is_empty() {
                self.replacement = None;
                break;
            }
            let written = Pin::new(&mut self.stream).poll_write(context, rest);
            if let Poll::Ready(Ok(count)) = written {
                *sent += count;
            }
            ready!(self.within_write_time(context, written))?;
        }
        Poll::Ready(Ok(replaced_bytes))
    }

    fn is_replaced(&mut self, first: &[u8]) -> bool {
        if self.replacement.is_none() {
            self.replacement = raw::replacement_of_refusal(first, &self.metrics).map(|bytes| (bytes, 0));
        }
        self.replacement.is_some()
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.is_settled.store(false, Ordering::Relaxed);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_replaced(bytes) {
            return self.write_replacement(context, bytes.len());
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.within_write_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = slices
            && self.is_replaced(only)
        {
            return self.write_replacement(context, only.len());
        }
        let mut room = [0; JOINED_BYTES];
        let written = match joined(slices, &mut room) {
            Some(bytes) => Pin::new(&mut self.stream).poll_write(context, bytes),
            None => Pin::new(&mut self.stream).poll_write_vectored(context, slices),
        };
        self.within_write_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let socket = &mut *self;
        if socket.closing.is_none() {
            ready!(Pin::new(&mut socket.stream).poll_shutdown(context))?;
            if socket.is_settled.load(Ordering::Relaxed) {
                return Poll::Ready(Ok(()));
            }
        }
        let limits = socket.limits;
        let closing = socket.closing.get_or_insert_with(|| Closing {
            deadline: Box::pin(tokio::time::sleep_until(Instant::now() + limits.drain_timeout)),
            bytes_left: limits.drain_bytes,
        });
        read_away(&mut socket.stream, closing, context)
    }
}

/// The slices as one, where there is room for them.
fn joined<'r>(slices: &[IoSlice<'_>], room: &'r mut [u8]) -> Option<&'r [u8]> {
    let mut length = 0;
    for slice in slices {
        room.get_mut(length..length + slice.len())?.copy_from_slice(slice);
        length += slice.len();
    }
    room.get(..length)
}

/// Ready at the caller's end, at the deadline, or when enough was read.
fn read_away(stream: &mut TcpStream, closing: &mut Closing, context: &mut Context<'_>) -> Poll<io::Result<()>> {
    let mut space = [0; 16 * 1_024];
    while closing.bytes_left > 0 && closing.deadline.as_mut().poll(context).is_pending() {
        let mut buffer = ReadBuf::new(&mut space);
        ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer))?;
        if buffer.filled().is_empty() {
            break;
        }
        closing.bytes_left = closing.bytes_left.saturating_sub(buffer.filled().len());
    }
    Poll::Ready(Ok(()))
}
