//! `tabulae serve`: the server of online games.

use std::net::SocketAddr;

use clap::ValueHint;

use crate::cli::prelude::*;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae serve --web dist                   Serve the web page and its games
  tabulae serve --store postgres://tabulae@db/tabulae --behind-proxy
                                             Be one of several servers

The guide docs/server.md explains how to run a server for others.")]
pub(super) struct Args {
    /// Listen on this address and port; with port 0, the system chooses a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// Store the games here: sqlite:FILE, or postgres://USER@HOST/DATABASE for several
    /// servers; an address with a password is better given in the environment variable
    /// TABULAE_STORE [default: sqlite:tabulae-games.db]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Serve the web page in this folder, too
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    web: Option<PathBuf>,
    /// Let pages of this address connect, such as https://example.org; this server's own
    /// pages can always connect
    #[arg(long, value_name = "URL")]
    origin: Vec<String>,
    /// Use TLS with this certificate chain, a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Use this key of the certificate, a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Take the clients' addresses from the header X-Forwarded-For, which the proxy in
    /// front of the server sets
    #[arg(long)]
    behind_proxy: bool,
    /// Allow this many connections at once
    #[arg(long, value_name = "N", default_value = "10000")]
    max_connections: usize,
    /// Allow this many connections from one address at once
    #[arg(long, value_name = "N", default_value = "64")]
    per_address: usize,
}

/// Serves until it is told to stop. Prints the address when it is ready.
#[cfg(feature = "server")]
pub(super) fn run(args: Args) -> Result<(), CommandError> {
    use std::io::Write;

    use crate::server::{self, ServerOptions};

    let scheme = if args.tls_cert.is_some() { "https" } else { "http" };
    let store = args.store.or_else(|| std::env::var("TABULAE_STORE").ok());
    let options = ServerOptions {
        listen: args.listen,
        store: store.unwrap_or_else(|| "sqlite:tabulae-games.db".to_owned()),
        web: args.web,
        origins: args.origin,
        tls: args.tls_cert.zip(args.tls_key),
        is_behind_proxy: args.behind_proxy,
        max_connections: args.max_connections,
        max_per_address: args.per_address,
    };
    let ready = |address| {
        // The reader may be gone.
        let mut out = super::screen::stdout();
        _ = writeln!(out, "listening on {scheme}://{address}").and_then(|()| out.flush());
    };
    server::run(&options, ready).map_err(CommandError::failed)
}

/// Reports that this build has no server.
#[cfg(not(feature = "server"))]
pub(super) fn run(args: Args) -> Result<(), CommandError> {
    drop(args);
    let text = "cannot serve: this build has no server; build with `--features server`";
    Err(CommandError::failed(text))
}
