//! Clients that do not keep to the rules of the protocol.

use std::{
    net::{TcpListener, TcpStream},
    process::{Command, Stdio},
    time::Duration,
};

use tabulae_games::RuleSet;
use tabulae_online::{
    ClientMessage, GameId, GameLink, Hash256, Offer, Refusal, ServerMessage, Ticket, Token, VERSION,
};
use tungstenite::{Message, WebSocket, client::IntoClientRequest, client::client};

use super::clients::{Server, create};

/// A connection that sends what it likes.
struct Raw(WebSocket<TcpStream>);

impl Raw {
    fn open(server: &Server) -> Self {
        Self::open_from(server, None).expect("a connection")
    }

    fn open_from(server: &Server, origin: Option<&str>) -> Option<Self> {
        let host = server.page.trim_start_matches("http://").trim_end_matches('/');
        let stream = TcpStream::connect(host).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let mut request = format!("ws://{host}/play").into_client_request().expect("an address");
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("a header"));
        }
        client(request, stream).ok().map(|(socket, _)| Self(socket))
    }

    fn hello(server: &Server, link: &GameLink) -> Self {
        let mut raw = Self::open(server);
        raw.send(&hello(link.ticket.to_string()));
        raw
    }

    fn send(&mut self, message: &ClientMessage) {
        self.send_text(&serde_json::to_string(message).expect("text"));
    }

    fn send_text(&mut self, text: &str) {
        // The server may have closed the connection.
        _ = self.0.send(Message::text(text));
    }

    /// The next message; `None` when the connection has ended.
    fn next(&mut self) -> Option<ServerMessage> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    return Some(serde_json::from_str(&text).expect("a message"));
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next refusal, skipping what else is said; `None` when the connection has
    /// ended.
    fn refusal(&mut self) -> Option<Refusal> {
        loop {
            match self.next()? {
                ServerMessage::Refused { refusal, .. } => return Some(refusal),
                ServerMessage::Entries { entries, .. } => {
                    let what = format!("{entries:?}");
                    let is_setup =
                        ["Claimed", "Joined", "Committed"].iter().any(|name| what.contains(name));
                    assert!(is_setup, "a dishonest message had an effect: {what}");
                }
                _ => {}
            }
        }
    }
}

fn hello(ticket: String) -> ClientMessage {
    let (since, name, device) = (0, String::new(), Some(Hash256([1; 32])));
    ClientMessage::Hello { version: VERSION, ticket, since, name, device }
}

#[test]
fn a_foreign_seat_is_never_opened() {
    let server = Server::start(&Server::temporary_store());
    let [seat, ..] = create(&server, RuleSet::Tablaaza, None);
    let known = seat.ticket.game;
    for (message, expected) in [
        (hello(Ticket { game: known, token: Token::random() }.to_string()), Refusal::UnknownLink),
        (
            hello(Ticket { game: GameId::random(), token: seat.ticket.token }.to_string()),
            Refusal::UnknownLink,
        ),
        (hello("x' OR 1=1 --".to_owned()), Refusal::UnknownLink),
        (ClientMessage::Resign { round: 0 }, Refusal::Malformed),
        (
            ClientMessage::Hello {
                version: 99,
                ticket: seat.ticket.to_string(),
                since: 0,
                name: String::new(),
                device: None,
            },
            Refusal::Version,
        ),
    ] {
        let mut raw = Raw::open(&server);
        raw.send(&message);
        assert_eq!(raw.refusal(), Some(expected), "{message:?}");
        assert_eq!(raw.next(), None, "the connection ends");
    }
    let page = server.page.trim_end_matches('/').to_owned();
    assert!(Raw::open_from(&server, Some("https://evil.example")).is_none());
    assert!(Raw::open_from(&server, Some(&page)).is_some());
}

#[test]
fn spectators_and_dishonest_players_get_nothing() {
    let server = Server::start(&Server::temporary_store());
    let [one, two, watch] = create(&server, RuleSet::Tablan, None);
    let mut south = Raw::hello(&server, &one);
    let mut spectator = Raw::hello(&server, &watch);
    let reveal = Hash256([1; 32]);
    let throw = ClientMessage::Reveal { round: 0, throw: 1, reveal };
    south.send(&throw);
    assert_eq!(south.refusal(), Some(Refusal::NotBegun));
    let mut north = Raw::hello(&server, &two);
    let commit = |commitment| ClientMessage::Commit { round: 0, commitment };
    let honest = Hash256([2; 32]).hashed();
    south.send(&commit(honest));
    // North waits until it sees South's commitment, and copies it.
    loop {
        let message = north.next().expect("South's commitment");
        if format!("{message:?}").contains("Committed") {
            break;
        }
    }
    north.send(&commit(honest));
    assert_eq!(north.refusal(), Some(Refusal::WrongCommitment));
    north.send(&commit(Hash256([3; 32]).hashed()));
    // Not one of these has an effect.
    spectator.send(&throw);
    assert_eq!(spectator.refusal(), Some(Refusal::Spectator));
    spectator.send(&ClientMessage::Resign { round: 0 });
    assert_eq!(spectator.refusal(), Some(Refusal::Spectator));
    north.send(&ClientMessage::Reveal { round: 0, throw: 1, reveal: Hash256([3; 32]) });
    assert_eq!(north.refusal(), Some(Refusal::NotYourTurn));
    south.send(&throw);
    assert_eq!(south.refusal(), Some(Refusal::WrongReveal));
    south.send(&ClientMessage::Reveal { round: 0, throw: 2, reveal: Hash256([2; 32]) });
    assert_eq!(south.refusal(), Some(Refusal::Late));
    south.send(&ClientMessage::Move { round: 0, ply: 0, text: "l1-l2".to_owned() });
    assert!(matches!(south.refusal(), Some(Refusal::Illegal(_))));
    south.send(&ClientMessage::Move { round: 0, ply: 0, text: "t1".to_owned() });
    assert!(matches!(south.refusal(), Some(Refusal::Illegal(_))));
    south.send(&ClientMessage::Answer { round: 0, ply: 0, offer: Offer::Draw, accept: true });
    assert_eq!(south.refusal(), Some(Refusal::NotOffered));
    for text in ["", "{}", "null", "[]", "{\"type\":\"move\"}", "\u{0}", &"[".repeat(2000)] {
        south.send_text(text);
        assert_eq!(south.refusal(), Some(Refusal::Malformed), "{text:?}");
    }
    // A message that is too long ends the connection, and nothing else.
    south.send_text(&"x".repeat(3000));
    assert_eq!(south.refusal(), None);
    let mut again = Raw::hello(&server, &one);
    let Some(ServerMessage::Welcome { entries, .. }) = again.next() else { panic!("a welcome") };
    assert!(entries.len() <= 7, "{entries:?}");
}

/// A server that answers the greeting with these messages.
fn impostor(messages: Vec<String>) -> (GameLink, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let page = format!("http://{}/", listener.local_addr().expect("an address"));
    let ticket = Ticket { game: GameId::random(), token: Token::random() };
    let serving = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a client");
        let mut socket = tungstenite::accept(stream).expect("a WebSocket");
        socket.read().expect("the greeting");
        for text in messages {
            _ = socket.send(Message::text(text));
        }
        // Until the client closes.
        while socket.read().is_ok() {}
    });
    (GameLink::new(&page, ticket, false).expect("a page"), serving)
}

#[test]
fn no_control_character_of_a_server_reaches_the_terminal() {
    let refused =
        r#"{"type":"refused","refusal":{"code":"illegal","detail":"\u001b[2Jno"},"reason":""}"#;
    let unknown = r#"{"type":"\u001b]0;title\u0007"}"#;
    let (link, serving) = impostor([refused, unknown].map(str::to_owned).to_vec());
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_tabulae"))
        .args(["play", "--language", "en", "--join", &link.to_string()])
        .env("TABULAE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    serving.join().expect("a server");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("[2Jno") && text.contains("The server has broken the rules"), "{text:?}");
    let is_harmless = |sign: char| !sign.is_control() || sign == '\n';
    assert!(text.chars().all(is_harmless), "{text:?}");
}

#[test]
fn a_flood_of_messages_is_refused() {
    let server = Server::start(&Server::temporary_store());
    let [seat, ..] = create(&server, RuleSet::Tablaaza, None);
    let mut raw = Raw::hello(&server, &seat);
    // Harmless messages: the first that come too fast are refused. A slow machine needs
    // more of them.
    let ping = ClientMessage::Ping { id: 7 };
    let is_refused = (0..100).any(|_| {
        (0..100).for_each(|_| raw.send(&ping));
        let answers = (0..100).map(|_| {
            loop {
                match raw.next().expect("an answer to each message") {
                    ServerMessage::Pong { .. } => break None,
                    ServerMessage::Refused { refusal, .. } => break Some(refusal),
                    _ => {}
                }
            }
        });
        answers.collect::<Vec<_>>().contains(&Some(Refusal::TooFast))
    });
    assert!(is_refused);
    // Too many refused messages end the connection; its last answers still arrive.
    let mut raw = Raw::hello(&server, &seat);
    for _ in 0..400 {
        raw.send_text("{}");
    }
    let mut refusals = 0;
    while raw.refusal().is_some() {
        refusals += 1;
    }
    assert_eq!(refusals, 100);
}

#[test]
fn an_address_sends_no_more_by_many_connections() {
    let mut command = Server::command("127.0.0.1:0");
    command.args(["--per-address", "3"]);
    let server = Server::run(command, &Server::temporary_store());
    let [one, two, _] = create(&server, RuleSet::Tablaaza, None);
    // Each sends no more than a connection may send at once.
    let mut players = [Raw::hello(&server, &one), Raw::hello(&server, &two)];
    for player in &mut players {
        (0..60).for_each(|_| {
            player.send(&ClientMessage::Move { round: 0, ply: 7, text: "c7".to_owned() });
        });
    }
    let refusals = players.iter_mut().flat_map(|player| (0..60).map_while(|_| player.refusal()));
    let refusals: Vec<_> = refusals.collect();
    assert_eq!(refusals.len(), 120);
    assert!(refusals.contains(&Refusal::TooFast) && refusals.contains(&Refusal::Late));
}
