//! Whatever bytes come to a server: it ends their connection, notes nothing worse than a
//! refusal, and goes on with its other games.

use std::{
    collections::VecDeque,
    fs,
    io::{ErrorKind, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    clients::Server,
    common::games::Numbers,
    raw::{RawClient, VERSION, device, get, hello},
    runner::{Budget, Target, run},
    tls,
};

/// Longer than a server needs to end a connection whose client has said all.
const SOON: Duration = Duration::from_secs(30);
/// Longer than a server keeps a connection that says nothing.
const LONG: Duration = Duration::from_secs(100);
/// So many connections say nothing more, and stay.
const HELD: usize = 200;
/// The server is looked after when so many inputs were sent, or after so long: the others
/// are asked for a sign of life.
const EVERY: usize = 500;
const OFTEN: Duration = Duration::from_secs(10);

/// A server that gets one input a connection.
struct Fuzzed {
    server: Server,
    folder: TempDir,
    /// How many bytes of the server's log are known.
    logged: usize,
    seeds: Vec<Vec<u8>>,
    words: &'static [&'static str],
    /// The bytes that are sent for an input.
    encode: fn(&[u8]) -> Vec<u8>,
    /// Whether the server still answers others.
    others: Others,
    held: VecDeque<(Instant, TcpStream)>,
    /// The server's sockets without those of the inputs.
    sockets: usize,
    tried: usize,
    looked_after: Instant,
    slowest: Duration,
}

/// Those who use the server meanwhile.
enum Others {
    /// Two players, and all that they know of their game.
    Players([RawClient; 2], String, Value),
    /// A program that trusts the server's certificate, again and again.
    Program,
}

impl Fuzzed {
    fn start(
        more: impl IntoIterator<Item = PathBuf>,
        others: impl FnOnce(&Server) -> Others,
        seeds: impl FnOnce(&Server) -> Vec<Vec<u8>>,
        words: &'static [&'static str],
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("index.html"), "the page").expect("a file");
        let log = fs::File::create(folder.path().join("log")).expect("a file");
        let mut command = Server::command("127.0.0.1:0");
        // Everybody has the same address: its limits must not hinder the others.
        command
            .args(["--max-connections", "1000", "--per-address", "100000", "--web"])
            .arg(folder.path())
            .args(more);
        command.stderr(Stdio::from(log));
        let server = Server::run(command, &Server::temporary_store());
        let (seeds, others) = (seeds(&server), others(&server));
        let sockets = sockets(&server);
        let (encode, held) = (<[u8]>::to_vec as fn(&[u8]) -> _, VecDeque::new());
        Self {
            server,
            folder,
            logged: 0,
            seeds,
            words,
            encode,
            others,
            held,
            sockets,
            tried: 0,
            looked_after: Instant::now(),
            slowest: Duration::ZERO,
        }
    }

    /// Sends an input in parts, and returns the kind of its answer.
    fn send(&mut self, input: &[u8]) -> String {
        let mut numbers = Numbers::new(input.iter().fold(0, |seed: u64, byte| {
            (seed ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }));
        let bytes = (self.encode)(input);
        let mut stream = TcpStream::connect(self.server.address()).expect("the server listens");
        stream.set_nodelay(true).expect("set");
        stream.set_read_timeout(Some(SOON)).expect("a timeout");
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (part, more) = rest.split_at(1 + numbers.below(rest.len()));
            if stream.write_all(part).is_err() {
                break;
            }
            rest = more;
        }
        match numbers.below(16) {
            0 => "left".to_owned(),
            1 if self.held.len() < HELD => {
                self.held.push_back((Instant::now(), stream));
                "held".to_owned()
            }
            _ => {
                // The server may be faster.
                _ = stream.shutdown(Shutdown::Write);
                kind(&read_to_end(&mut stream))
            }
        }
    }

    /// Fails if the server has noted something, or a connection is held for too long.
    fn look_after(&mut self) {
        let log = fs::read_to_string(self.folder.path().join("log")).expect("a log");
        let news = log[self.logged..].to_owned();
        self.logged = log.len();
        assert!(news.is_empty(), "the server says: {news}");
        let is_old = |(since, _): &mut (Instant, _)| since.elapsed() > LONG;
        while let Some((_, mut stream)) = self.held.pop_front_if(is_old) {
            // It has ended already.
            stream.set_read_timeout(Some(Duration::from_secs(1))).expect("a timeout");
            read_to_end(&mut stream);
        }
        if !self.tried.is_multiple_of(EVERY) && self.looked_after.elapsed() < OFTEN {
            return;
        }
        self.looked_after = Instant::now();
        match &mut self.others {
            Others::Players(players, ticket, known) => {
                assert!(get(self.server.address(), "/health").contains("200 OK"));
                for player in players {
                    player.send(&json!({"type": "ping", "id": self.tried}));
                    assert_eq!(player.next_of("pong")["id"], self.tried);
                }
                let mut again = RawClient::enter(self.server.address(), ticket, 'w');
                assert_eq!(again.next_of("welcome")["entries"], *known);
            }
            Others::Program => tls::create_a_game(&self.server),
        }
        self.until_sockets(self.sockets + self.held.len());
    }

    /// Waits until the server has no more sockets than these.
    fn until_sockets(&self, most: usize) {
        let started = Instant::now();
        while sockets(&self.server) > most {
            let late = started.elapsed() > SOON;
            assert!(!late, "{} sockets for {most} connections", sockets(&self.server));
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Target for Fuzzed {
    fn seeds(&self) -> Vec<Vec<u8>> {
        self.seeds.clone()
    }

    fn words(&self) -> &'static [&'static str] {
        self.words
    }

    fn check(&mut self, input: &[u8]) -> String {
        let sent = Instant::now();
        let kind = self.send(input);
        self.slowest = self.slowest.max(sent.elapsed());
        self.tried += 1;
        self.look_after();
        kind
    }

    fn finish(&mut self) {
        self.held.clear();
        self.until_sockets(self.sockets);
        println!("slowest answer: {:?}; memory: {}", self.slowest, memory(&self.server));
    }
}

/// All that comes until the end of a connection, which must not take long.
fn read_to_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    let is_late = stream.read_to_end(&mut all).is_err_and(|error| {
        // Any other error is an end, too.
        matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
    });
    assert!(!is_late, "the connection stays open");
    all
}

/// The kind of an answer: its first bytes, and the types of its messages.
fn kind(answer: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer);
    let words = text.split('"').collect::<Vec<_>>();
    let mut kind = text.chars().take(12).collect::<String>();
    for three in words.windows(3).filter(|three| matches!(three[0], "type" | "code" | "entry")) {
        if !kind.contains(three[2]) {
            kind += three[2];
        }
    }
    kind
}

/// How many sockets a server has open; none where the system does not say so.
fn sockets(server: &Server) -> usize {
    let files = fs::read_dir(format!("/proc/{}/fd", server.id())).into_iter().flatten().flatten();
    let links = files.filter_map(|file| fs::read_link(file.path()).ok());
    links.filter(|link| link.to_string_lossy().starts_with("socket:")).count()
}

fn memory(server: &Server) -> String {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.unwrap_or("unknown").trim().to_owned()
}

/// A game between two players who stay.
fn players(server: &Server) -> Others {
    let [one, two, watch] = RawClient::create(server.address(), "tablut/ashton", Value::Null);
    let mut players = [&one, &two].map(|ticket| RawClient::enter(server.address(), ticket, 'w'));
    for player in &mut players {
        player.next_of("welcome");
    }
    let mut spectator = RawClient::enter(server.address(), &watch, 'w');
    let known = spectator.next_of("welcome")["entries"].clone();
    Others::Players(players, watch, known)
}

/// The request for a WebSocket.
const UPGRADE: &str = "GET /play HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n\
     Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
     Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// A client's frame; its mask changes nothing.
fn frame(first: u8, text: &[u8]) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes();
    [&[first, 0xfe][..], &length, &[0; 4], text].concat()
}

/// The greetings of both players of a game of each kind, and of somebody who asks.
fn greetings(server: &Server) -> Vec<String> {
    let rules = ["tablut/ashton", "tablut/saami", "tablan", "tablaaza"];
    let games = rules.map(|rules| RawClient::create(server.address(), rules, json!("600+5")));
    let all = games.iter().flatten().map(|ticket| hello(ticket, 'a').to_string());
    let ticket = &games[0][0];
    let asked =
        json!({"type": "status", "version": VERSION, "ticket": ticket, "device": device('a')});
    let terms = json!({"rules": "tablan", "clock": "600+5,1/30"});
    let made = json!({"type": "create", "version": VERSION, "terms": terms});
    all.chain([asked.to_string(), made.to_string()]).collect()
}

/// What players say after their greeting.
const SAID: [&str; 13] = [
    r#"{"type":"commit","round":0,"commitment":"Zg3ygTP5D5K5D5K5D5K5D5K5D5K5D5K5D5K5D5K5D5A"}"#,
    r#"{"type":"commit","round":0,"commitment":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
    r#"{"type":"reveal","round":0,"throw":1,"reveal":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
    r#"{"type":"move","round":0,"ply":0,"move":"e4-f4"}"#,
    r#"{"type":"move","round":0,"ply":1,"move":"d1-c1"}"#,
    r#"{"type":"move","round":0,"ply":0,"move":"c7"}"#,
    r#"{"type":"offer","round":0,"ply":1,"offer":"undo"}"#,
    r#"{"type":"answer","round":0,"ply":1,"offer":"undo","accept":true}"#,
    r#"{"type":"offer","round":0,"ply":0,"offer":"draw"}"#,
    r#"{"type":"offer","round":0,"ply":0,"offer":"rematch"}"#,
    r#"{"type":"resign","round":0}"#,
    r#"{"type":"admit","device":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
    r#"{"type":"ping","id":1}"#,
];

/// HTTP requests, and WebSockets with their frames.
fn requests() -> Fuzzed {
    let seeds = |server: &Server| {
        let plain = [
            "GET /health HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /index.html HTTP/1.1\r\nHost: a\r\nRange: bytes=0-3,5-\r\n\
             If-Modified-Since: Sat, 28 Nov 2026 00:00:00 GMT\r\nAccept-Encoding: gzip, br\r\n\r\n",
            "HEAD /%2e%2e/%69ndex.html?a=b HTTP/1.0\r\n\r\n",
            "POST /play HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\
             Trailer: x\r\n\r\n5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nOrigin: null\r\nCookie: a=b\r\n\r\n",
            "CONNECT a.b:443 HTTP/1.1\r\nHost: a.b:443\r\n\r\n",
            "GET http://a.b/health HTTP/1.1\r\nHost: a.b\r\nX-Forwarded-For: [::1]:1, \"::2\"\r\n\
             Forwarded: for=1.2.3.4\r\nConnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\
             HTTP2-Settings: AAMAAABkAAQAoAAA\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0",
            "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        ];
        let greetings = greetings(server);
        let framed = |frames: &[(u8, &str)]| {
            let frames = frames.iter().flat_map(|(first, text)| frame(*first, text.as_bytes()));
            UPGRADE.bytes().chain(frames).collect::<Vec<_>>()
        };
        let sockets = [
            framed(&[(0x89, "a ping"), (0x81, &greetings[0]), (0x81, SAID[12]), (0x88, "\u{3}?")]),
            framed(&[(0x01, &greetings[3][..9]), (0x89, ""), (0x80, &greetings[3][9..])]),
            framed(&[(0x81, &greetings[6]), (0x82, "binary"), (0x8a, "a pong")]),
            framed(&[(0x81, &greetings[12])]),
            framed(&[(0x81, &greetings[13])]),
            framed(&[(0xc1, &greetings[2])]),
        ];
        plain.iter().map(|text| text.as_bytes().to_vec()).chain(sockets).collect()
    };
    let words = &[
        "GET ",
        "POST ",
        " HTTP/1.1\r\n",
        " HTTP/1.0\r\n",
        " HTTP/2.0\r\n",
        "\r\n\r\n",
        "\r\n ",
        "Host: ",
        "Content-Length: ",
        "Transfer-Encoding: chunked\r\n",
        "Connection: keep-alive\r\n",
        "Connection: Upgrade\r\n",
        "Upgrade: websocket\r\n",
        "Expect: 100-continue\r\n",
        "Sec-WebSocket-Extensions: permessage-deflate\r\n",
        "Sec-WebSocket-Protocol: a\r\n",
        "Sec-WebSocket-Version: 13\r\n",
        "Origin: http://a\r\n",
        "Range: bytes=-1\r\n",
        "X-Forwarded-For: ",
        "/play",
        "/../",
        "%2e%2e%2f",
        "%00",
        "\u{7f}\u{0}",
    ];
    Fuzzed::start([], players, seeds, words)
}

/// What players say on a WebSocket: a message a line.
fn conversations() -> Fuzzed {
    let seeds = |server: &Server| {
        let greetings = greetings(server);
        let alone = greetings.iter().map(|greeting| greeting.clone().into_bytes());
        let said = greetings.iter().flat_map(|greeting| {
            SAID.iter().map(move |said| format!("{greeting}\n{said}").into_bytes())
        });
        alone.chain(said).collect()
    };
    let words = &[
        "\n",
        "\"round\":",
        "\"ply\":",
        "\"since\":",
        "18446744073709551615",
        "-1",
        "null",
        "[]",
        "{}",
        "\"tablan\"",
        "\"move\"",
        "e4-f4",
        "\"name\":\"\u{202e}A\",",
        "\\u0000",
        "\\ud800",
        "\"rematch\"",
        "\"clock\":\"1/14d\"",
        "\"device\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"",
    ];
    let encode = |input: &[u8]| {
        let lines = input.split(|byte| *byte == b'\n');
        UPGRADE.bytes().chain(lines.flat_map(|line| frame(0x81, line))).collect()
    };
    Fuzzed { encode, ..Fuzzed::start([], players, seeds, words) }
}

/// Starts of TLS handshakes.
fn handshakes() -> Fuzzed {
    let seeds = |_: &Server| {
        let hello = client_hello();
        // The same in two records, and what comes next.
        let (one, two) = hello[5..].split_at(60);
        let record = |kind: u8, part: &[u8]| {
            let length = u16::try_from(part.len()).expect("a length").to_be_bytes();
            [&[kind, 3, 3][..], &length, part].concat()
        };
        let next = [record(20, &[1]), record(23, &[7; 53]), record(21, &[2, 40])].concat();
        vec![
            hello.clone(),
            [hello.clone(), next].concat(),
            [record(22, one), record(22, two)].concat(),
            [record(22, one), record(20, &[1]), record(22, two)].concat(),
            record(21, &[1, 0]),
            b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n".to_vec(),
            // The greeting of SSL 2.
            b"\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10\x01\x00\x80abcdefghijklmnop".to_vec(),
        ]
    };
    let more = ["--tls-cert".into(), tls::file("server.pem")];
    let more = more.into_iter().chain(["--tls-key".into(), tls::file("server.key")]);
    let words = &["\u{1}\u{0}", "\u{16}\u{3}\u{3}", "\u{0}\u{0}", "\u{7f}\u{7f}", "localhost"];
    Fuzzed::start(more, |_| Others::Program, seeds, words)
}

/// The first record of a client that speaks TLS.
fn client_hello() -> Vec<u8> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let client = std::thread::spawn(move || {
        let stream = TcpStream::connect(address).expect("connected");
        tungstenite::client_tls("wss://localhost/play", stream).map(drop).is_err()
    });
    let (mut stream, _) = listener.accept().expect("a client");
    let mut hello = vec![0; 5];
    stream.read_exact(&mut hello).expect("a record's head");
    hello.resize(5 + usize::from(u16::from_be_bytes([hello[3], hello[4]])), 0);
    stream.read_exact(&mut hello[5..]).expect("a record");
    drop(stream);
    assert!(client.join().expect("the client ends"), "nobody has answered");
    hello
}

#[test]
fn requests_are_answered_or_refused_and_others_play_on() {
    run(&mut requests(), Budget::Inputs(500));
}

#[test]
fn messages_are_answered_or_refused_and_others_play_on() {
    run(&mut conversations(), Budget::Inputs(500));
}

#[test]
fn handshakes_are_answered_or_refused_and_others_play_on() {
    run(&mut handshakes(), Budget::Inputs(500));
}

#[test]
#[ignore = "a minute"]
fn requests_for_long() {
    run(&mut requests(), Budget::from_env());
}

#[test]
#[ignore = "a minute"]
fn messages_for_long() {
    run(&mut conversations(), Budget::from_env());
}

#[test]
#[ignore = "a minute"]
fn handshakes_for_long() {
    run(&mut handshakes(), Budget::from_env());
}
