//! Servers that want a client's memory or time.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use tabulae_games::RuleSet;
use tabulae_online::{
    GameId, GameLink, Incoming, Terms, Ticket, Token,
    connection::{Connection, create_game},
};

/// The page of a server that does this with its first client.
fn serve(act: impl FnOnce(TcpStream) + Send + 'static) -> (String, thread::JoinHandle<()>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let page = format!("http://{}/", listener.local_addr().expect("an address"));
    let serving = thread::spawn(move || act(listener.accept().expect("a client").0));
    (page, serving)
}

fn link(page: &str) -> GameLink {
    let ticket = Ticket { game: GameId::random(), token: Token::random() };
    GameLink::new(page, ticket, false).expect("a page")
}

/// A WebSocket's frame with so many letters.
fn frame(length: usize) -> Vec<u8> {
    let mut frame = vec![0x81, 127];
    frame.extend((length as u64).to_be_bytes());
    frame.extend(vec![b'x'; length]);
    frame
}

#[test]
fn a_flood_waits_in_the_servers_hands_and_not_in_the_clients_memory() {
    const MESSAGE: usize = 1 << 20;
    let (page, serving) = serve(|stream| {
        stream.set_write_timeout(Some(Duration::from_secs(2))).expect("a timeout");
        let mut stream = tungstenite::accept(stream).expect("a WebSocket").get_ref().try_clone();
        let stream = stream.as_mut().expect("a stream");
        let frame = frame(MESSAGE);
        let sent = (0..500).take_while(|_| stream.write_all(&frame).is_ok()).count();
        // What waits, and what the system holds.
        assert!(sent < 100, "the client took {sent} MiB that nobody has read");
    });
    let connection = Connection::open(&link(&page));
    serving.join().expect("a server");
    assert_eq!(connection.receive(), Some(Incoming::Opened));
}

#[test]
fn a_message_that_is_longer_than_any_game_is_not_read() {
    let (page, serving) = serve(|stream| {
        let mut socket = tungstenite::accept(stream).expect("a WebSocket");
        // Only the head: a client must not wait for 2^40 bytes, nor make room for them.
        let head = [&[0x81, 127][..], &(1_u64 << 40).to_be_bytes()].concat();
        socket.get_mut().write_all(&head).expect("sent");
        let mut rest = Vec::new();
        _ = socket.get_mut().read_to_end(&mut rest);
    });
    let connection = Connection::open(&link(&page));
    assert_eq!(connection.wait(Duration::from_secs(30)), Some(Incoming::Opened));
    let closed = connection.wait(Duration::from_secs(30));
    assert!(matches!(closed, Some(Incoming::Closed(_))), "{closed:?}");
    serving.join().expect("a server");
}

#[test]
fn half_messages_end_and_hold_nobody_up() {
    /// Sends a byte of a message now and then, until the client goes.
    fn drip(mut stream: TcpStream) {
        _ = stream.write_all(&[0x81, 126, 0xff, 0xff]);
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    }
    // A program that leaves is not kept by it.
    let (page, serving) = serve(|stream| {
        let socket = tungstenite::accept(stream).expect("a WebSocket");
        drip(socket.get_ref().try_clone().expect("a stream"));
    });
    let connection = Connection::open(&link(&page));
    assert_eq!(connection.wait(Duration::from_secs(30)), Some(Incoming::Opened));
    drop(connection);
    serving.join().expect("a server");
    // Nor does a new game wait for ever, nor a handshake.
    let (page, serving) = serve(|stream| {
        let socket = tungstenite::accept(stream).expect("a WebSocket");
        drip(socket.get_ref().try_clone().expect("a stream"));
    });
    let (slow, never) = serve(|mut stream| {
        stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\nX: ").expect("sent");
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
        let mut rest = [0; 16];
        let end = stream.read(&mut rest);
        assert!(!end.is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
    });
    let (pings, flooding) = serve(|stream| {
        let socket = tungstenite::accept(stream).expect("a WebSocket");
        let mut stream = socket.get_ref();
        while stream.write_all(&[0x89, 0].repeat(1_000)).is_ok() {}
    });
    let terms = Terms { rules: RuleSet::Tablaaza, clock: None };
    let flooded = thread::spawn(move || create_game(&pings, terms).map(drop));
    let asking = thread::spawn(move || create_game(&slow, terms).map(drop));
    create_game(&page, terms).map(drop).expect_err("half an answer");
    asking.join().expect("a client").expect_err("half a handshake");
    flooded.join().expect("a client").expect_err("pings are no answer");
    for server in [serving, never, flooding] {
        server.join().expect("a server");
    }
}
