//! The server behind nginx and Caddy, with the configurations of docs/server.md.

use std::{
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::client::{IntoClientRequest as _, client};

use super::{
    clients::Server,
    raw::{RawClient, get},
};

struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        // Not killed: nginx ends its workers itself.
        _ = Command::new("kill").arg(self.0.id().to_string()).status();
        _ = self.0.wait();
    }
}

/// The block of the guide behind this line.
fn guide(line: &str) -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/server.md");
    let guide = std::fs::read_to_string(guide).expect("a guide");
    let (_, rest) = guide.split_once(line).expect("the line");
    let block = rest.split("```").nth(1).expect("a block");
    block.trim_start_matches("text").to_owned()
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

/// Plays by way of a proxy at this address.
fn play_behind(proxy: &str) {
    let started = Instant::now();
    while std::net::TcpStream::connect(proxy).is_err() {
        assert!(started.elapsed() < Duration::from_secs(30), "the proxy does not start");
    }
    assert!(get(proxy, "/health").contains("ok"));
    let tickets = RawClient::create(proxy, "tablut/ashton", Value::Null);
    let mut players = [0, 1].map(|player| RawClient::enter(proxy, &tickets[player], 'a'));
    for player in &mut players {
        player.next_of("welcome");
    }
    players[0].send(&json!({"type": "move", "round": 0, "ply": 0, "move": "e4-f4"}));
    while !players[1].next_of("entries")["entries"].to_string().contains("moved") {}
    // Pages of this address may connect, and others may not.
    let page = |origin: &str| {
        let stream = std::net::TcpStream::connect(proxy).expect("a proxy");
        let mut request = format!("ws://{proxy}/play").into_client_request().expect("a request");
        request.headers_mut().insert("origin", origin.parse().expect("a header"));
        client(request, stream).is_ok()
    };
    assert!(page(&format!("http://{proxy}")));
    assert!(!page("http://evil.example"));
}

/// A server that waits for a proxy.
struct Behind {
    _server: Server,
    /// A folder for the proxy.
    folder: TempDir,
    /// A port for the proxy.
    port: u16,
    /// The part of the guide with this heading, with the server's address.
    guide: String,
}

impl Behind {
    fn proxy(heading: &str) -> Self {
        let mut command = Server::command("127.0.0.1:0");
        command.arg("--behind-proxy");
        let server = Server::run(command, &Server::temporary_store());
        let guide = guide(heading).replace("127.0.0.1:8787", server.address());
        let folder = tempfile::tempdir().expect("a folder");
        Self { _server: server, folder, port: free_port(), guide }
    }
}

#[test]
fn games_are_played_behind_nginx() {
    let nginx =
        ["/usr/sbin/nginx", "/usr/bin/nginx"].into_iter().find(|path| Path::new(path).exists());
    let Some(nginx) = nginx else {
        eprintln!("not tested: nginx is not installed");
        return;
    };
    let Behind { folder, port, guide, .. } = &Behind::proxy("With nginx:");
    let here = folder.path().display();
    let configuration = format!(
        "daemon off; pid {here}/pid; error_log stderr; events {{}} http {{ access_log off; \
         client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; \
         fastcgi_temp_path {here}/f; uwsgi_temp_path {here}/u; scgi_temp_path {here}/s; \
         server {{ listen 127.0.0.1:{port}; {guide} }} }}"
    );
    let file = folder.path().join("nginx.conf");
    std::fs::write(&file, configuration).expect("written");
    let mut command = Command::new(nginx);
    let child = command.arg("-c").arg(&file).stderr(Stdio::null()).spawn().expect("it starts");
    let _proxy = Proxy(child);
    play_behind(&format!("127.0.0.1:{port}"));
}

#[test]
fn games_are_played_behind_caddy() {
    if !Path::new("/usr/bin/caddy").exists() {
        eprintln!("not tested: Caddy is not installed");
        return;
    }
    let Behind { folder, port, guide, .. } = &Behind::proxy("With Caddy");
    // Without a certificate, and without its interface for administrators.
    let site = guide.replace("play.example", &format!("http://127.0.0.1:{port}"));
    let file = folder.path().join("Caddyfile");
    std::fs::write(&file, format!("{{\n    admin off\n}}\n{site}")).expect("written");
    let mut command = Command::new("/usr/bin/caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&file);
    command.env("HOME", folder.path()).stderr(Stdio::null());
    let _proxy = Proxy(command.spawn().expect("it starts"));
    play_behind(&format!("127.0.0.1:{port}"));
}
