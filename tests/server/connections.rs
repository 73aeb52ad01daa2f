//! Connections that say nothing, too much, or never read.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    path::PathBuf,
    process::Command,
    time::Duration,
};

use serde_json::Value;
use tungstenite::{Message, client::client};

use super::{
    clients::Server,
    raw::{RawClient, get, hello, request},
};

/// Longer than any time that the server gives a silent connection.
const LONG: Duration = Duration::from_secs(60);

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).expect("a server");
    stream.set_read_timeout(Some(LONG)).expect("a timeout");
    stream
}

/// Waits until the server has ended a connection.
fn assert_ends(mut stream: TcpStream, what: &str) {
    let mut rest = Vec::new();
    let result = stream.read_to_end(&mut rest);
    let is_late = result.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
    assert!(!is_late, "{what}: still open after {LONG:?}");
}

#[test]
fn silent_connections_end_whatever_they_have_begun_to_say() {
    let server = Server::start(&Server::temporary_store());
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let said = [
        "",
        "PRI",
        preface,
        "GET / HTTP/1.1\r\nHost: a",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n12",
    ];
    let all: Vec<_> = said
        .into_iter()
        .map(|text| {
            let mut stream = connect(&server);
            stream.write_all(text.as_bytes()).expect("sent");
            (text, stream)
        })
        .collect();
    // A kept connection on which no second request comes.
    let mut kept = connect(&server);
    kept.write_all(
        format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", server.address()).as_bytes(),
    )
    .expect("sent");
    // A WebSocket that never greets.
    let silent = RawClient::open(server.address()).expect("a server");
    for (text, stream) in all {
        assert_ends(stream, text);
    }
    assert_ends(kept, "a kept connection");
    let mut silent = silent;
    assert_eq!(silent.next(), None);
    // Nor does a TLS handshake go on for ever.
    let file =
        |name: &str| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/server/tls").join(name);
    let tls = ["--tls-cert".into(), file("server.pem"), "--tls-key".into(), file("server.key")];
    let server = Server::start_with(&Server::temporary_store(), tls);
    // The start of a handshake.
    for bytes in [&b""[..], b"\x16\x03\x01\x02\x00\x01"] {
        let mut stream = connect(&server);
        stream.write_all(bytes).expect("sent");
        assert_ends(stream, "a TLS handshake");
    }
}

#[test]
fn one_address_cannot_take_all_connections() {
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_tabulae");
    // As few files as some systems allow.
    let serve = format!("ulimit -n 200; exec '{program}' serve --listen '[::]:0' --per-address 40");
    command.args(["-c", &serve]);
    let server = Server::run(command, &Server::temporary_store());
    let port = server.address().rsplit_once(':').expect("a port").1.to_owned();
    let Ok(_) = TcpStream::connect(format!("[::1]:{port}")) else {
        eprintln!("not tested: there is no IPv6");
        return;
    };
    let silent: Vec<_> =
        (0..400).filter_map(|_| TcpStream::connect(format!("127.0.0.1:{port}")).ok()).collect();
    assert!(silent.len() > 100, "{}", silent.len());
    // Somebody else.
    let answer = get(&format!("[::1]:{port}"), "/health");
    assert!(answer.contains("200 OK"), "{answer}");
    let tickets = RawClient::create(&format!("[::1]:{port}"), "tablaaza", Value::Null);
    let mut player = RawClient::enter(&format!("[::1]:{port}"), &tickets[0], 'a');
    player.next_of("welcome");
    // The address itself gets in again when it has let go.
    drop(silent);
    let until = std::time::Instant::now() + LONG;
    loop {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("a server");
        stream.set_read_timeout(Some(LONG)).expect("a timeout");
        let asked =
            stream.write_all(b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let mut answer = String::new();
        if asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.contains("200 OK")
        {
            break;
        }
        assert!(std::time::Instant::now() < until, "the address stays out");
    }
}

#[test]
fn a_download_that_nobody_reads_or_hardly_anybody_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let size = 64 << 20;
    std::fs::write(folder.path().join("large.bin"), vec![7; size]).expect("a file");
    let web = ["--web".into(), folder.path().to_owned()];
    let server = Server::start_with(&Server::temporary_store(), web);
    let ask = || {
        let mut stream = connect(&server);
        stream.write_all(b"GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n").expect("sent");
        stream
    };
    let (mut unread, mut slow) = (ask(), ask());
    // While they wait, others are served.
    assert!(get(server.address(), "/health").contains("200 OK"));
    for _ in 0..30 {
        _ = slow.read(&mut [0; 300]);
        std::thread::sleep(Duration::from_secs(1));
    }
    for stream in [&mut unread, &mut slow] {
        let mut read = Vec::new();
        _ = stream.read_to_end(&mut read);
        assert!(read.len() < size / 2, "it goes on: {} bytes", read.len());
    }
}

#[test]
fn requests_that_are_too_long_or_ask_for_hidden_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("index.html", "the page").expect("a file");
    write(".env", "a secret").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("passwd")).expect("a link");
    let web = ["--web".into(), folder.path().to_owned()];
    let server = Server::start_with(&Server::temporary_store(), web);
    let status = |path: &str| get(server.address(), path).get(9..12).unwrap_or_default().to_owned();
    assert!(get(server.address(), "/").contains("the page"));
    assert_eq!(status(&format!("/{}", "x".repeat(60_000))), "414");
    assert_eq!(status(&format!("/?{}", "x".repeat(3_000))), "414");
    assert_eq!(status(&format!("/{}", "x".repeat(300))), "404");
    assert_eq!(status(&format!("/{}", "x".repeat(200_000))), "431");
    for path in ["/.env", "/%2eenv", "/passwd", "/../Cargo.toml", "/none"] {
        assert_eq!(status(path), "404", "{path}");
    }
    let page = get(server.address(), "/").to_lowercase();
    for header in [
        "content-security-policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.contains(header), "{page}");
    }
    assert!(!page.contains("strict-transport-security"), "not without TLS");
    // HTTP/2 is not spoken.
    let answer = request(server.address(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assert!(!answer.contains("200"), "{answer}");
}

#[test]
fn a_request_that_names_no_host_or_two_is_refused() {
    let server = Server::start(&Server::temporary_store());
    let asked = |headers: &str| {
        let text = format!("GET /health HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        request(server.address(), &text).get(9..12).unwrap_or_default().to_owned()
    };
    assert_eq!(asked("Host: a\r\n"), "200");
    assert_eq!(asked("Host: a\r\nOrigin: http://a\r\n"), "200");
    for headers in [
        "",
        "Host: a\r\nHost: a\r\n",
        "Host: a\r\nHost: b\r\n",
        "Host: a\r\nOrigin: http://a\r\nOrigin: http://b\r\n",
    ] {
        assert_eq!(asked(headers), "400", "{headers}");
    }
    // As the check of the container asks.
    assert!(request(server.address(), "GET /health HTTP/1.0\r\n\r\n").contains("200 OK"));
}

#[test]
fn pings_are_answered_and_a_flood_of_them_ends_the_connection() {
    let server = Server::start(&Server::temporary_store());
    let tickets = RawClient::create(server.address(), "tablaaza", Value::Null);
    let stream = connect(&server);
    let (mut socket, _) = client(format!("ws://{}/play", server.address()), stream).expect("open");
    // Before the greeting, too.
    socket.send(Message::Ping("1".into())).expect("sent");
    socket.send(Message::text(hello(&tickets[2], 'a').to_string())).expect("sent");
    let (mut has_pong, mut has_welcome) = (false, false);
    while !(has_pong && has_welcome) {
        match socket.read().expect("a message") {
            Message::Pong(_) => has_pong = true,
            Message::Text(text) => has_welcome |= text.contains("welcome"),
            _ => {}
        }
    }
    for _ in 0..2_000 {
        if socket.send(Message::Ping("1".into())).is_err() {
            break;
        }
    }
    while socket.read().is_ok() {}
    // Others go on.
    RawClient::enter(server.address(), &tickets[0], 'a').next_of("welcome");
}
