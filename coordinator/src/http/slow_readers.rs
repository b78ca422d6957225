//! A write timeout for callers that do not receive their answer.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// The bytes that a caller must receive within the timeout, if there are as many.
const LEAST: usize = 16 << 10;

/// A connection on which writing fails when the peer receives too little for too long.
pub(crate) struct Hurried<S> {
    stream: S,
    time: Duration,
    /// While the peer is behind: the deadline, and the bytes that it has received since.
    late: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> Hurried<S> {
    /// Sets the timeout.
    pub(crate) fn new(stream: S, time: Duration) -> Self {
        Self { stream, time, late: None }
    }

    fn wrote(&mut self, result: io::Result<usize>) -> Poll<io::Result<usize>> {
        if let (Some((_, taken)), Ok(bytes)) = (&mut self.late, &result) {
            *taken += bytes;
        }
        Poll::Ready(result)
    }

    /// Waits because the peer receives nothing now.
    fn wait<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        let time = self.time;
        let (end, taken) = self.late.get_or_insert_with(|| (Box::pin(tokio::time::sleep(time)), 0));
        loop {
            ready!(end.as_mut().poll(context));
            if *taken < LEAST {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            *taken = 0;
            end.as_mut().reset(Instant::now() + time);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Hurried<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Hurried<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write(context, buffer) {
            Poll::Ready(result) => self.wrote(result),
            Poll::Pending => self.wait(context),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.stream).poll_write_vectored(context, buffers) {
            Poll::Ready(result) => self.wrote(result),
            Poll::Pending => self.wait(context),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(context) {
            // The buffer is empty.
            Poll::Ready(result) => {
                self.late = None;
                Poll::Ready(result)
            }
            Poll::Pending => self.wait(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_shutdown(context) {
            Poll::Ready(result) => Poll::Ready(result),
            Poll::Pending => self.wait(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const TIME: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_is_cut_off_and_who_takes_a_little_is_not() {
        let (near, mut far) = tokio::io::duplex(1 << 10);
        let mut near = Hurried::new(near, TIME);
        let content = vec![0; 1 << 20];
        let began = Instant::now();
        let error = near.write_all(&content).await.expect_err("nobody reads");
        assert_eq!((error.kind(), began.elapsed()), (io::ErrorKind::TimedOut, TIME));
        drop(near);
        far.read_to_end(&mut Vec::new()).await.expect("the rest");

        let (near, mut far) = tokio::io::duplex(1 << 10);
        let mut near = Hurried::new(near, TIME);
        let reading = tokio::spawn(async move {
            let mut part = [0; 1 << 10];
            while far.read(&mut part).await.expect("read") > 0 {
                tokio::time::sleep(TIME / 32).await;
            }
        });
        near.write_all(&content[..200 << 10]).await.expect("it is taken bit by bit");
        near.flush().await.expect("flushed");
        tokio::time::sleep(TIME * 2).await;
        near.write_all(&content[..1 << 10]).await.expect("a pause of the writer is none of the reader");
        drop(near);
        reading.await.expect("no panic");
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_a_byte_now_and_then_is_cut_off_too() {
        let (near, mut far) = tokio::io::duplex(1);
        let mut near = Hurried::new(near, TIME);
        let reading = tokio::spawn(async move {
            while far.read_u8().await.is_ok() {
                tokio::time::sleep(TIME / 10).await;
            }
        });
        let began = Instant::now();
        near.write_all(&[0; 1 << 10]).await.expect_err("too little");
        assert!(began.elapsed() <= TIME * 2);
        drop(near);
        reading.await.expect("no panic");
    }
}
