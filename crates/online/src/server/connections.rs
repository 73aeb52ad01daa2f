//! The server's connections, from the first byte on: how many there are, how long they may
//! be silent, and how fast they may send.
//!
//! Only HTTP/1.1 is spoken: WebSockets need no more, and one request at a time is easy to
//! limit.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{Router, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1, service::Service as _};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    time::{Instant, Sleep, sleep, timeout},
};
use tokio_rustls::TlsAcceptor;

use super::limits::{Admission, Limits};

/// The time for a TLS handshake, and for the head of an HTTP request.
const PATIENCE: Duration = Duration::from_secs(10);
/// A connection whose other end takes nothing for so long is ended. So is one whose other
/// end takes less than [`LEAST`] bytes a second, a while later.
const STALL: Duration = Duration::from_secs(20);
const LEAST: f64 = 1_024.0;
/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 72 << 10;
/// The bytes that a connection may send at once, and then in a second. More of them wait.
const BURST: f64 = 131_072.0;
const RATE: f64 = 8_192.0;
/// The pause after the system had no file or memory left for a connection.
const EXHAUSTED: Duration = Duration::from_millis(100);

/// Accepts connections for ever, and answers their requests.
pub(super) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    limits: Arc<Limits>,
    router: Router,
) {
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Connections that end free some.
            sleep(EXHAUSTED).await;
            continue;
        };
        // A client with too many gets no answer: to say so would need a file.
        let Some(admission) = limits.admit(peer.ip()) else { continue };
        // Without delay: else the second of two short messages waits up to 40 ms until the
        // client has confirmed the first.
        _ = stream.set_nodelay(true);
        let stream = Metered::new(stream, admission);
        let (tls, router) = (tls.clone(), router.clone());
        tokio::spawn(async move {
            match tls {
                None => answer(stream, peer, router).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(PATIENCE, tls.accept(stream)).await {
                        answer(stream, peer, router).await;
                    }
                }
            }
        });
    }
}

/// Answers the requests of a connection until it ends.
async fn answer(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: SocketAddr,
    router: Router,
) {
    let router = TowerToHyperService::new(router);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // An error is the client's: nothing is left to be said.
    _ = connection.await;
}

/// A stream that counts while it is open, that reads no faster than [`RATE`], and that
/// fails when the other end takes nothing, or too little, for [`STALL`].
struct Metered {
    stream: TcpStream,
    _admission: Admission,
    /// What may be read now, and when that was computed.
    left: f64,
    filled: Instant,
    /// Until more may be read.
    pause: Option<Pin<Box<Sleep>>>,
    /// Since when the other end has taken nothing, and until when it may.
    stall: Option<(Instant, Pin<Box<Sleep>>)>,
    /// How long it may take nothing.
    patience: Duration,
}

impl Metered {
    fn new(stream: TcpStream, admission: Admission) -> Self {
        Self {
            stream,
            _admission: admission,
            left: BURST,
            filled: Instant::now(),
            pause: None,
            stall: None,
            patience: STALL,
        }
    }

    fn count(&mut self, bytes: usize) {
        let now = Instant::now();
        let new = now.duration_since(self.filled).as_secs_f64() * RATE;
        let bytes = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
        self.filled = now;
        self.left = (self.left + new).min(BURST) - bytes;
        if self.left < 0.0 {
            self.pause = Some(Box::pin(sleep(Duration::from_secs_f64(-self.left / RATE))));
        }
    }

    /// What a write has come to: an error if it has waited for too long.
    fn written(
        &mut self,
        cx: &mut Context<'_>,
        result: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let now = Instant::now();
        if let Poll::Ready(taken) = &result {
            let waited = self.stall.take().map(|(since, _)| now.duration_since(since));
            let taken = *taken.as_ref().unwrap_or(&0);
            self.patience = patience(self.patience, waited.unwrap_or_default(), taken);
            return result;
        }
        let (_, stall) = self.stall.get_or_insert_with(|| (now, Box::pin(sleep(self.patience))));
        ready!(stall.as_mut().poll(cx));
        // Else the system would go on sending what it has taken over.
        _ = self.stream.set_zero_linger();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

/// How long the other end may take nothing, after it has waited so long and then taken so
/// many bytes.
fn patience(before: Duration, waited: Duration, taken: usize) -> Duration {
    let taken = f64::from(u32::try_from(taken).unwrap_or(u32::MAX));
    let earned = Duration::from_secs_f64(taken / LEAST);
    (before.saturating_sub(waited) + earned).min(STALL)
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        self.count(buffer.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.written(cx, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Raises this process's limit of open files as far as it may. Returns the number of
/// connections that fit, each with so many files.
pub(super) fn most_connections(files_each: u64) -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

        /// Files of the store, the runtime and the standard streams.
        const RESERVED: u64 = 64;

        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        // An error leaves the limit as it is.
        _ = setrlimit(Resource::Nofile, raised);
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        usize::try_from(files.saturating_sub(RESERVED) / files_each).unwrap_or(usize::MAX)
    }
    #[cfg(not(unix))]
    {
        _ = files_each;
        usize::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many pieces a connection ends whose other end takes one, then another; or
    /// that it goes on.
    fn pieces(bytes: u16, a_second: f64) -> Option<usize> {
        let waited = Duration::from_secs_f64(f64::from(bytes) / a_second);
        let mut left = STALL;
        (0..1_000).find(|_| {
            let is_ended = waited >= left;
            left = patience(left, waited, bytes.into());
            is_ended
        })
    }

    #[test]
    fn who_takes_too_little_is_ended_and_who_is_only_slow_is_not() {
        // 300 bytes a second, in pieces of a window and of a packet.
        assert_eq!(pieces(2_304, 300.0), Some(3));
        assert!(pieces(536, 300.0).is_some_and(|pieces| pieces < 20));
        assert_eq!(pieces(30_000, 300.0), Some(0), "nothing for 100 s");
        for piece in [536, 16_384] {
            assert_eq!(pieces(piece, 1_100.0), None, "{piece}");
            assert!(pieces(piece, 900.0).is_some(), "{piece}");
        }
        // A fast beginning is no licence.
        assert_eq!(patience(STALL, Duration::ZERO, 1 << 30), STALL);
    }
}
