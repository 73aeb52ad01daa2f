//! The WebSocket of a program on a desktop system, which connects again by itself.
//! Browsers have their own.

use std::{
    io::{self, ErrorKind, Read, Write},
    net::{TcpStream, ToSocketAddrs as _},
    sync::mpsc::{
        Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel,
    },
    thread,
    time::{Duration, Instant},
};

use tungstenite::{
    Error as SocketError, HandshakeError, Message, WebSocket, client::IntoClientRequest as _,
    client_tls_with_config, error::UrlError, http::Uri, protocol::WebSocketConfig,
    stream::MaybeTlsStream,
};

use super::{
    CreateError, GameLink, Incoming, MAX_SERVER_MESSAGE, Terms, create_message, created_links,
    socket_of_page,
};
use tabulae_records::on_one_line;

/// For how long the thread listens before it looks for something to send.
const TURN: Duration = Duration::from_millis(10);
/// The first and the longest pause before it connects again. A connection that lasted
/// for the longest one was a good one: the pauses are short again.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The time that connecting, or an answer to a new game, may take.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Messages that wait for the front end. Until it takes them, nothing more is read: a server
/// cannot fill the memory.
const WAITING: usize = 16;

/// A connection to a game's server, on a thread of its own. It ends when dropped.
#[derive(Debug)]
pub struct Connection {
    outgoing: Sender<Command>,
    incoming: Receiver<(Instant, Incoming)>,
}

enum Command {
    Send(String),
    Reconnect,
}

/// Where a connection reports to.
struct Reports {
    events: SyncSender<(Instant, Incoming)>,
    wake: Box<dyn Fn() + Send>,
}

impl Reports {
    /// Reports something; false if nobody listens any more.
    fn send(&self, incoming: Incoming) -> bool {
        // Woken first, too: the queue may be full.
        (self.wake)();
        let is_heard = self.events.send((Instant::now(), incoming)).is_ok();
        if is_heard {
            (self.wake)();
        }
        is_heard
    }
}

impl Connection {
    /// Connects to the server of a link, and again whenever the connection is lost.
    pub fn open(link: &GameLink) -> Self {
        Self::to(link.socket_address(), || ())
    }

    /// The same for the address of a WebSocket. `wake` is called whenever
    /// [`Self::receive`] has something new.
    pub fn to(address: String, wake: impl Fn() + Send + 'static) -> Self {
        let (outgoing, commands) = channel();
        let (events, incoming) = sync_channel(WAITING);
        let reports = Reports { events, wake: Box::new(wake) };
        thread::spawn(move || keep_open(&address, &commands, &reports));
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
    pub fn receive(&self) -> Option<Incoming> {
        self.receive_with_age().map(|(incoming, _)| incoming)
    }

    /// What has arrived, if anything has, and how long ago.
    pub fn receive_with_age(&self) -> Option<(Incoming, Duration)> {
        self.incoming.try_recv().ok().map(|(at, incoming)| (incoming, at.elapsed()))
    }

    /// Waits for what arrives next, but not longer than this.
    pub fn wait(&self, longest: Duration) -> Option<Incoming> {
        self.incoming.recv_timeout(longest).ok().map(|(_, incoming)| incoming)
    }
}

/// Creates a game on the server of a page (`https://host/`): its two seats' links and
/// the spectators'.
///
/// # Errors
/// The server does not answer, or refuses.
pub fn create_game(page: &str, terms: Terms) -> Result<[GameLink; 3], CreateError> {
    created_links(page, &ask(&socket_of_page(page)?, create_message(terms))?)
}

/// Asks the server of this WebSocket's address something, and returns its answer.
///
/// # Errors
/// The server does not answer.
pub fn ask(address: &str, message: String) -> Result<String, CreateError> {
    let network = |error: SocketError| CreateError::Network(error.to_string());
    let mut socket = connect(address).map_err(network)?;
    socket.send(Message::text(message)).map_err(network)?;
    let until = Instant::now() + TIMEOUT;
    read_for(&mut socket, TIMEOUT);
    // A server that sends pings and takes no answers holds each reading up, too.
    while Instant::now() < until {
        if let Message::Text(text) = socket.read().map_err(network)? {
            return Ok(text.as_str().to_owned());
        }
    }
    Err(network(io::Error::from(ErrorKind::TimedOut).into()))
}

type Socket = WebSocket<MaybeTlsStream<Timed>>;

/// A stream that reads until a time, however slowly the bytes come.
struct Timed {
    stream: TcpStream,
    until: Instant,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => ErrorKind::TimedOut.into(),
            _ => error,
        })
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

fn connect(address: &str) -> Result<Socket, SocketError> {
    // An error is a provider that was installed before: it is used.
    _ = rustls::crypto::ring::default_provider().install_default();
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_SERVER_MESSAGE))
        .max_frame_size(Some(MAX_SERVER_MESSAGE));
    let request = address.into_client_request()?;
    let stream = connect_tcp(request.uri())?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // Small messages are not held back.
    stream.set_nodelay(true)?;
    let stream = Timed { stream, until: Instant::now() + TIMEOUT };
    match client_tls_with_config(request, stream, Some(config), None) {
        Ok((socket, _)) => Ok(socket),
        Err(HandshakeError::Failure(error)) => Err(error),
        Err(HandshakeError::Interrupted(_)) => Err(io::Error::from(ErrorKind::TimedOut).into()),
    }
}

/// Connects to the first of the host's addresses that answers.
fn connect_tcp(uri: &Uri) -> Result<TcpStream, SocketError> {
    let host = uri.host().ok_or(SocketError::Url(UrlError::NoHostName))?;
    let default_port = if uri.scheme_str() == Some("wss") { 443 } else { 80 };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let addresses = (host, uri.port_u16().unwrap_or(default_port)).to_socket_addrs()?;
    let mut last_error = io::Error::from(ErrorKind::NotFound);
    for address in addresses {
        match TcpStream::connect_timeout(&address, TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last_error = error,
        }
    }
    Err(last_error.into())
}

/// Lets reading last until this time from now.
fn read_for(socket: &mut Socket, time: Duration) {
    let stream = match socket.get_mut() {
        MaybeTlsStream::Plain(stream) => stream,
        MaybeTlsStream::Rustls(stream) => stream.get_mut(),
        _ => return,
    };
    stream.until = Instant::now() + time;
}

/// Keeps a connection open until nobody listens any more.
fn keep_open(address: &str, commands: &Receiver<Command>, reports: &Reports) {
    let mut pause = FIRST_PAUSE;
    loop {
        let why = match connect(address) {
            Ok(mut socket) => {
                let opened = Instant::now();
                // What was sent before is of another connection.
                while commands.try_recv().is_ok() {}
                if !reports.send(Incoming::Opened) {
                    return;
                }
                match talk(&mut socket, commands, reports) {
                    Some(why) => {
                        if opened.elapsed() >= LONGEST_PAUSE {
                            pause = FIRST_PAUSE;
                        }
                        why
                    }
                    None => {
                        _ = socket.close(None);
                        _ = socket.flush();
                        return;
                    }
                }
            }
            Err(error) => error.to_string(),
        };
        if !reports.send(Incoming::Closed(on_one_line(&why))) {
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
fn talk(socket: &mut Socket, commands: &Receiver<Command>, reports: &Reports) -> Option<String> {
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
        read_for(socket, TURN);
        match socket.read() {
            Ok(Message::Text(text)) => {
                if !reports.send(Incoming::Text(text.as_str().to_owned())) {
                    return None;
                }
            }
            Ok(_) => {}
            Err(SocketError::Io(error))
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) => {}
            Err(error) => return Some(error.to_string()),
        }
    }
}
