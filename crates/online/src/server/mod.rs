//! `tabulae serve`: the server of online games.
//!
//! Architecture invariant: nothing here decides what is legal. A [`Referee`] does, and
//! what it decides is stored before anybody sees it.
//!
//! [`Referee`]: crate::Referee

mod games;
mod limits;
mod socket;
pub mod store;
mod tls;

pub use tls::CertificateError;

use std::{
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::{self, Next},
    response::Response,
    routing::get,
};
use axum_server::{Handle, accept::NoDelayAcceptor, tls_rustls::RustlsAcceptor};
use hyper_util::rt::TokioTimer;
use thiserror::Error;
use tower_http::services::ServeDir;

use self::{games::Games, limits::Limits, store::StoreError};

/// What the server is told.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where it listens; port 0 takes any.
    pub listen: SocketAddr,
    /// The store's address: `sqlite:FILE` or `postgres://...`.
    pub store: String,
    /// The folder of the web page.
    pub web: Option<PathBuf>,
    /// Pages of other addresses that may connect (`https://host`).
    pub origins: Vec<String>,
    /// Certificate chain and key, as PEM files.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Whether a proxy in front names the client's address in `X-Forwarded-For`.
    pub is_behind_proxy: bool,
    /// The most connections at once.
    pub max_connections: usize,
    /// The most connections at once from one address.
    pub max_per_address: usize,
}

/// Why the server cannot run.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address is taken, or not one of this machine.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The store.
    #[error("cannot open the store: {0}")]
    Store(#[from] StoreError),
    /// The certificate or its key.
    #[error("cannot use TLS: {0}")]
    Certificate(#[from] CertificateError),
    /// Serving failed.
    #[error("the server has stopped: {0}")]
    Stopped(std::io::Error),
}

/// What all connections share.
struct Shared {
    games: Arc<Games>,
    limits: Arc<Limits>,
    origins: Vec<String>,
    is_behind_proxy: bool,
}

/// Runs the server until it is told to stop (Ctrl-C, SIGTERM). `ready` gets the address
/// that it listens on.
///
/// # Errors
/// It cannot run.
pub fn run(options: &ServerOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(ServerError::Stopped)?;
    runtime.block_on(serve(options, ready))
}

async fn serve(options: &ServerOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    let files = options.tls.as_ref();
    let tls = files.map(|(certificate, key)| tls::read(certificate, key)).transpose()?;
    let store = store::open(&options.store).await?;
    let listening = |error| ServerError::Listen(options.listen, error);
    let listener = TcpListener::bind(options.listen).map_err(listening)?;
    listener.set_nonblocking(true).map_err(listening)?;
    let address = listener.local_addr().map_err(listening)?;
    let shared = Arc::new(Shared {
        games: Games::open(store).await?,
        limits: Arc::new(Limits::new(options.max_connections, options.max_per_address)),
        origins: options.origins.iter().map(|it| it.trim_end_matches('/').to_owned()).collect(),
        is_behind_proxy: options.is_behind_proxy,
    });
    let mut router =
        Router::new().route("/play", get(socket::upgrade)).route("/health", get(|| async { "ok" }));
    router = match &options.web {
        Some(folder) => router.fallback_service(ServeDir::new(folder)),
        None => router.route("/", get(|| async { PAGE })),
    };
    let service = router
        .with_state(shared)
        .layer(middleware::from_fn(add_headers))
        .into_make_service_with_connect_info::<SocketAddr>();
    let handle = Handle::new();
    tokio::spawn(stop_on_signal(handle.clone()));
    // Without delay: else the second of two short messages waits up to 40 ms until the
    // client has confirmed the first.
    match tls {
        Some(config) => {
            let server = axum_server::from_tcp(listener).map_err(ServerError::Stopped)?;
            let tls = RustlsAcceptor::new(config).acceptor(NoDelayAcceptor::new());
            let mut server = server.acceptor(tls);
            server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
            ready(address);
            server.handle(handle).serve(service).await
        }
        None => {
            let server = axum_server::from_tcp(listener).map_err(ServerError::Stopped)?;
            let mut server = server.acceptor(NoDelayAcceptor::new());
            server.http_builder().http1().timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
            ready(address);
            server.handle(handle).serve(service).await
        }
    }
    .map_err(ServerError::Stopped)
}

/// The time that the head of an HTTP request may take.
const HEADER_TIME: Duration = Duration::from_secs(10);

/// What a server without the web page answers at its address.
const PAGE: &str = "A server of Tabulae. Join a game with: tabulae play --join LINK\n";

/// Headers of every answer: the page's address is told to nobody, and no other page
/// may frame it.
async fn add_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    ] as [(HeaderName, &'static str); 3]
    {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn stop_on_signal(handle: Handle<SocketAddr>) {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => tokio::select! {
                _ = interrupt => (),
                _ = terminate.recv() => (),
            },
            Err(_) => _ = interrupt.await,
        }
    }
    #[cfg(not(unix))]
    {
        _ = interrupt.await;
    }
    handle.graceful_shutdown(Some(Duration::from_secs(1)));
}
