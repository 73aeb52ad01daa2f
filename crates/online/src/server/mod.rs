//! `tabulae serve`: the server of online games.
//!
//! Architecture invariant: nothing here decides what is legal. A [`Referee`] does, and
//! what it decides is stored before anybody sees it.
//!
//! [`Referee`]: crate::Referee

mod connections;
mod files;
mod games;
mod health;
mod limits;
mod socket;
pub mod store;
mod tls;

pub use tls::CertificateError;

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, StatusCode, Version, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::get,
};
use thiserror::Error;
use tokio::net::TcpListener;

use self::{
    games::Games,
    limits::Limits,
    store::{Store, StoreError},
};

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
#[non_exhaustive]
pub enum ServerError {
    /// The address is taken, or not one of this machine.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Store(#[from] StoreError),
    /// The certificate or its key cannot be used.
    #[error("cannot use TLS: {0}")]
    Certificate(#[from] CertificateError),
    /// The runtime that serves connections cannot be started.
    #[error("cannot start the server: {0}")]
    Start(std::io::Error),
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
        .map_err(ServerError::Start)?;
    let result = runtime.block_on(serve(options, ready));
    // A game that is being read is of no use any more.
    runtime.shutdown_timeout(FAREWELL);
    result
}

/// The time for what still runs when the server stops.
const FAREWELL: Duration = Duration::from_secs(1);
/// The time for the store, whose file another program may hold.
const CLOSING: Duration = Duration::from_secs(5);

async fn serve(options: &ServerOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    let files = options.tls.as_ref();
    let tls = files.map(|(certificate, key)| tls::read(certificate, key)).transpose()?;
    let listening = |error| ServerError::Listen(options.listen, error);
    let listener = TcpListener::bind(options.listen).await.map_err(listening)?;
    let address = listener.local_addr().map_err(listening)?;
    let store = Store::open(&options.store).await?;
    // Each may download a file of the page.
    let room = connections::most_connections(if options.web.is_some() { 2 } else { 1 });
    if room < options.max_connections {
        let most = options.max_connections;
        eprintln!("tabulae: the limit of open files allows {room} connections, not {most}");
    }
    let (most, per_address) = (options.max_connections, options.max_per_address);
    let limits = Arc::new(Limits::new(most, per_address, room, options.is_behind_proxy));
    let games = Games::open(store).await?;
    let shared = Arc::new(Shared {
        games: Arc::clone(&games),
        limits: Arc::clone(&limits),
        origins: options
            .origins
            .iter()
            .map(|origin| origin.trim_end_matches('/').to_owned())
            .collect(),
        is_behind_proxy: options.is_behind_proxy,
    });
    let router = Router::new().route("/play", get(socket::upgrade)).route("/health", get(health));
    let router = router.with_state(shared);
    if let Some(folder) = options.web.as_ref().filter(|web| !web.join("index.html").is_file()) {
        eprintln!("tabulae: {} holds no web page: there is no index.html", folder.display());
    }
    let router = match &options.web {
        Some(folder) => router.fallback_service(files::router(folder)),
        None => router.route("/", get(|| async { PAGE })),
    };
    let is_tls = tls.is_some();
    let router = router
        .layer(middleware::from_fn(refuse_odd))
        .layer(middleware::from_fn_with_state(is_tls, add_headers));
    ready(address);
    tokio::select! {
        () = connections::serve(listener, tls, limits, router) => {}
        () = stopped() => {}
    }
    // What it has stored is safe in any case.
    _ = tokio::time::timeout(CLOSING, games.close()).await;
    Ok(())
}

/// Whether games can be played, for those who watch over the server.
async fn health(State(shared): State<Arc<Shared>>) -> Response {
    match shared.games.health() {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

/// The longest path of a request, with what follows it, in bytes.
const MAX_ADDRESS: usize = 2048;

async fn refuse_odd(request: Request, next: Next) -> Response {
    match refusal(&request) {
        Some(status) => status.into_response(),
        None => next.run(request).await,
    }
}

/// How a request is refused that is too long, or that a proxy in front of the server could
/// read in another way than the server.
fn refusal(request: &Request) -> Option<StatusCode> {
    let address = request.uri().path_and_query().map_or("", |path| path.as_str());
    if address.len() > MAX_ADDRESS {
        return Some(StatusCode::URI_TOO_LONG);
    }
    let number = |name| request.headers().get_all(name).iter().count();
    // Before HTTP/1.1, a request need not name its host.
    let has_one_host = match request.version() {
        Version::HTTP_11 => number(header::HOST) == 1,
        _ => number(header::HOST) <= 1,
    };
    (!has_one_host || number(header::ORIGIN) > 1).then_some(StatusCode::BAD_REQUEST)
}

/// What a server without the web page answers at its address.
const PAGE: &str = "A server of Tabulae. Join a game with: tabulae play --join LINK\n";

/// What the web page may load: its own files, WebAssembly, and the WebSockets of any server
/// that a link names. No other page may frame it.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self' ws: wss:; \
     worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// Headers of every answer. The page's address is told to nobody.
async fn add_headers(State(is_tls): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let mut add = |name: HeaderName, value| {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    };
    add(header::REFERRER_POLICY, "no-referrer");
    add(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(header::CONTENT_SECURITY_POLICY, POLICY);
    if is_tls {
        add(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    response
}

/// Waits until the server is told to stop.
async fn stopped() {
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
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;

    use super::*;

    #[tokio::test]
    async fn browsers_are_told_to_keep_to_tls_where_there_is_tls() {
        for is_tls in [false, true] {
            let router = Router::new().route("/", get(|| async {}));
            let router = router.layer(middleware::from_fn_with_state(is_tls, add_headers));
            let answer = TowerToHyperService::new(router).call(Request::new(Body::empty())).await;
            let has_header = answer.is_ok_and(|answer| {
                answer.headers().contains_key(header::STRICT_TRANSPORT_SECURITY)
            });
            assert_eq!(has_header, is_tls);
        }
    }
}
