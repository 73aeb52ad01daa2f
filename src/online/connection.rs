//! The WebSocket of a program on a desktop system, which connects again by itself.
//! Browsers have their own.

use std::{
    io,
    net::TcpStream,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel},
    thread,
    time::Duration,
};

use thiserror::Error;
use tungstenite::{
    Error as SocketError, Message, WebSocket,
    client::{IntoClientRequest, connect_with_config},
    protocol::WebSocketConfig,
    stream::MaybeTlsStream,
};

use super::{
    ClientMessage, GameLink, LinkProblem, MAX_SERVER_MESSAGE, NewLinks, Refusal, ServerMessage,
    Terms, Ticket, VERSION,
};

/// For how long the thread listens before it looks for something to send.
const TURN: Duration = Duration::from_millis(10);
/// The first and the longest pause before it connects again.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The time that an answer to a new game may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a connection reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// It is open; call [`OnlineGame::opened`](super::OnlineGame::opened).
    Opened,
    /// A message, for [`OnlineGame::handle`](super::OnlineGame::handle).
    Text(String),
    /// It was lost, or could not be opened, for this reason. It is tried again.
    Closed(String),
}

/// A connection to a game's server, on a thread of its own. It ends when dropped.
#[derive(Debug)]
pub struct Connection {
    outgoing: Sender<Command>,
    incoming: Receiver<Incoming>,
}

enum Command {
    Send(String),
    Reconnect,
}

impl Connection {
    /// Connects to the server of a link, and again whenever the connection is lost.
    #[must_use]
    pub fn open(link: &GameLink) -> Self {
        let (outgoing, commands) = channel();
        let (events, incoming) = channel();
        let address = link.socket_address();
        thread::spawn(move || keep_open(&address, &commands, &events));
        Self { outgoing, incoming }
    }

    /// Sends a text; it is lost while there is no connection.
    pub fn send(&self, text: String) {
        // Without a thread there is nobody to send to.
        _ = self.outgoing.send(Command::Send(text));
    }

    /// Drops the connection and connects again.
    pub fn reconnect(&self) {
        _ = self.outgoing.send(Command::Reconnect);
    }

    /// What has arrived, if anything has.
    #[must_use]
    pub fn receive(&self) -> Option<Incoming> {
        self.incoming.try_recv().ok()
    }

    /// Waits for what arrives next, but not longer than this.
    #[must_use]
    pub fn wait(&self, longest: Duration) -> Option<Incoming> {
        self.incoming.recv_timeout(longest).ok()
    }
}

/// Why no game was created.
#[derive(Debug, Error)]
pub enum CreateError {
    /// The address is no server's.
    #[error(transparent)]
    Address(#[from] LinkProblem),
    /// The server cannot be reached.
    #[error("{0}")]
    Network(String),
    /// The server refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Creates a game on the server of a page (`https://host/`): its two seats' links and
/// the spectators'.
///
/// # Errors
/// The server does not answer, or refuses.
pub fn create_game(page: &str, terms: Terms) -> Result<[GameLink; 3], CreateError> {
    let network = |error: SocketError| CreateError::Network(error.to_string());
    // Any ticket: only the address is of interest.
    let ticket = Ticket { game: super::GameId::random(), token: super::Token::random() };
    let link = GameLink::new(page, ticket, false)?;
    let mut socket = connect(&link.socket_address()).map_err(network)?;
    let message = ClientMessage::Create { version: VERSION, terms };
    let text = serde_json::to_string(&message).unwrap_or_default();
    set_timeout(&socket, PATIENCE);
    socket.send(Message::text(text)).map_err(network)?;
    loop {
        let Message::Text(text) = socket.read().map_err(network)? else { continue };
        return match serde_json::from_str(&text) {
            Ok(ServerMessage::Created { links }) => game_links(page, &links),
            Ok(ServerMessage::Refused { refusal, .. }) => Err(refusal.into()),
            Ok(_) => Err(Refusal::Malformed.into()),
            Err(error) => Err(CreateError::Network(error.to_string())),
        };
    }
}

fn game_links(page: &str, links: &NewLinks) -> Result<[GameLink; 3], CreateError> {
    let link = |text: &str, is_spectator| {
        let ticket = Ticket::parse(text).ok_or(LinkProblem::Damaged)?;
        GameLink::new(page, ticket, is_spectator)
    };
    let [one, two] = &links.seats;
    Ok([link(one, false)?, link(two, false)?, link(&links.watch, true)?])
}

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

fn connect(address: &str) -> Result<Socket, SocketError> {
    // An error is a provider that was installed before: it is used.
    _ = rustls::crypto::ring::default_provider().install_default();
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_SERVER_MESSAGE))
        .max_frame_size(Some(MAX_SERVER_MESSAGE));
    let request = address.into_client_request()?;
    let (socket, _) = connect_with_config(request, Some(config), 0)?;
    if let Some(stream) = tcp(&socket) {
        // Small messages are not held back.
        stream.set_nodelay(true)?;
    }
    Ok(socket)
}

fn tcp(socket: &Socket) -> Option<&TcpStream> {
    match socket.get_ref() {
        MaybeTlsStream::Plain(stream) => Some(stream),
        MaybeTlsStream::Rustls(stream) => Some(stream.get_ref()),
        _ => None,
    }
}

fn set_timeout(socket: &Socket, time: Duration) {
    if let Some(stream) = tcp(socket) {
        // A zero timeout, which is an error, does not occur.
        _ = stream.set_read_timeout(Some(time));
    }
}

/// Keeps a connection open until nobody listens any more.
fn keep_open(address: &str, commands: &Receiver<Command>, events: &Sender<Incoming>) {
    let mut pause = FIRST_PAUSE;
    loop {
        let why = match connect(address) {
            Ok(mut socket) => {
                pause = FIRST_PAUSE;
                set_timeout(&socket, TURN);
                // What was sent before is of another connection.
                while commands.try_recv().is_ok() {}
                if events.send(Incoming::Opened).is_err() {
                    return;
                }
                match talk(&mut socket, commands, events) {
                    Some(why) => why,
                    None => {
                        _ = socket.close(None);
                        _ = socket.flush();
                        return;
                    }
                }
            }
            Err(error) => error.to_string(),
        };
        if events.send(Incoming::Closed(why)).is_err() {
            return;
        }
        // Ends early when the connection is dropped.
        match commands.recv_timeout(pause) {
            Err(RecvTimeoutError::Disconnected) => return,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Sends and receives until the connection is lost; `None` if nobody listens any more.
fn talk(
    socket: &mut Socket,
    commands: &Receiver<Command>,
    events: &Sender<Incoming>,
) -> Option<String> {
    loop {
        loop {
            match commands.try_recv() {
                Ok(Command::Send(text)) => {
                    if let Err(error) = socket.send(Message::text(text)) {
                        return Some(error.to_string());
                    }
                }
                Ok(Command::Reconnect) => return Some(String::new()),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return None,
            }
        }
        match socket.read() {
            Ok(Message::Text(text)) => {
                if events.send(Incoming::Text(text.as_str().to_owned())).is_err() {
                    return None;
                }
            }
            Ok(_) => {}
            Err(SocketError::Io(error))
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock
                        | io::ErrorKind::TimedOut
                        | io::ErrorKind::Interrupted
                ) => {}
            Err(error) => return Some(error.to_string()),
        }
    }
}
