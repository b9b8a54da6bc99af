//! How long a caller may take to read its answers (rule W5).
//!
//! The time begins when an answer does not fit the socket's buffer and ends when all of it does. Each byte
//! that is taken gives more time. So the deadline follows from the size of the answers, and a caller that
//! takes a few bytes now and then does not keep its connection.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// A stream whose writing fails when its reader is too slow.
pub(super) struct AnswerTimeout<S> {
    stream: S,
    base: Duration,
    bytes_per_second: u32,
    waiting: Option<Waiting>,
}

/// Since an answer did not fit the socket's buffer.
struct Waiting {
    since: Instant,
    taken_bytes: usize,
    timer: Pin<Box<Sleep>>,
}

impl<S> AnswerTimeout<S> {
    pub(super) const fn new(stream: S, base: Duration, bytes_per_second: u32) -> Self {
        Self { stream, base, bytes_per_second, waiting: None }
    }

    pub(super) fn into_inner(self) -> S {
        self.stream
    }

    /// Counts what was written. Where nothing could be, there is an error after the deadline.
    fn check(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match (written, &mut self.waiting) {
            (Poll::Pending, waiting) => {
                let since = Instant::now();
                let waiting = waiting.get_or_insert_with(|| {
                    let timer = Box::pin(sleep_until(since + self.base));
                    Waiting { since, taken_bytes: 0, timer }
                });
                let earned = Duration::from_secs(waiting.taken_bytes as u64) / self.bytes_per_second.max(1);
                waiting.timer.as_mut().reset(waiting.since + self.base + earned);
                ready!(waiting.timer.as_mut().poll(context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            (Poll::Ready(Ok(bytes)), Some(waiting)) => {
                waiting.taken_bytes = waiting.taken_bytes.saturating_add(bytes);
                Poll::Ready(Ok(bytes))
            }
            (written, _) => written,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for AnswerTimeout<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.check(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper flushes when it has written all that there is.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.waiting = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for AnswerTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    const KIB: usize = 1_024;

    /// A stream with a buffer of 1 KiB: 30 seconds, and one for each KiB.
    fn stream() -> (AnswerTimeout<DuplexStream>, DuplexStream) {
        let (service, caller) = duplex(KIB);
        (AnswerTimeout::new(service, Duration::from_secs(30), 1_024), caller)
    }

    /// Writes an answer of 100 KiB to a caller that reads so many bytes a second.
    async fn answer(bytes_per_second: usize) -> (io::Result<()>, Duration) {
        let (mut service, mut caller) = stream();
        let reading = tokio::spawn(async move {
            let mut part = vec![0; bytes_per_second];
            while caller.read_exact(&mut part).await.is_ok() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        let began = Instant::now();
        let written = async {
            service.write_all(&vec![0; 100 * KIB]).await?;
            service.flush().await
        };
        let written = written.await;
        reading.abort();
        (written, began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_takes_enough_each_second_gets_its_whole_answer() {
        let (written, duration) = answer(900).await;
        assert!(written.is_ok() && duration > Duration::from_secs(100), "{written:?} in {duration:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_takes_a_few_bytes_each_second_is_cut_off() {
        let (written, duration) = answer(100).await;
        assert_eq!(written.expect_err("too slow").kind(), io::ErrorKind::TimedOut);
        assert!((30..40).contains(&duration.as_secs()), "{duration:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn each_answer_has_its_own_time() {
        let (mut service, mut caller) = stream();
        for _ in 0..3 {
            let reading = async {
                tokio::time::sleep(Duration::from_secs(25)).await;
                caller.read_exact(&mut [0; 2 * KIB]).await
            };
            let writing = async {
                service.write_all(&[0; 2 * KIB]).await?;
                service.flush().await
            };
            let (written, read) = tokio::join!(writing, reading);
            assert!(written.is_ok() && read.is_ok());
        }
    }
}
