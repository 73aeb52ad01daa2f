//! A player that is a client of Bologna's competition. The match is its server.

use std::{
    fmt,
    io::ErrorKind,
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Command, Stdio},
    thread,
};

use crate::{
    cli::{
        bologna::protocol::{
            MoveMessage, ProtocolError, StateMessage, TimedStream, TurnField, default_port,
            receive, receive_name, send,
        },
        prelude::*,
    },
    session::ProcessTree,
};

use super::{super::config::MatchConfig, MoveLimits, NoMove, RefusedMove, StartError};

/// Time in which a client must connect, if the patience is shorter: some fill large
/// tables first. The help of `--patience` names it.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// Pause between two messages to a client. Many clients take all bytes that have
/// arrived for one message, and would wait for the second for ever.
const MESSAGE_GAP: Duration = Duration::from_millis(200);
/// Pause between two checks whether the client has connected.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A client, killed at the end of the game if the match has started it.
pub(in super::super) struct BolognaClient {
    stream: TcpStream,
    name: String,
    /// How long it may take to read a message.
    patience: Duration,
    /// By how much it may overrun its time for a move.
    overrun: Duration,
    /// When the last position was sent.
    last_sent: Option<Instant>,
    _process: Option<ProcessTree>,
}

impl BolognaClient {
    /// Starts the program and waits until it has connected and sent its name.
    ///
    /// In the command `{role}` stands for `white` or `black`, `{ROLE}` for the
    /// same in capitals, `{time}` for the seconds for a move, rounded up,
    /// `{host}` and `{port}` for the server's address. Without a `{port}` the
    /// server listens at the competition's port.
    ///
    /// # Errors
    /// The match cannot serve it, or the program cannot be started or does not
    /// connect; the text says so.
    pub(super) fn start(
        words: &[String],
        side: Side,
        config: &MatchConfig,
    ) -> Result<Self, StartError> {
        let any_port = words.iter().any(|word| word.contains("{port}"));
        let wanted = if any_port { 0 } else { default_port(side) };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).map_err(|error| {
            StartError::Match(format!(
                "cannot listen at port {wanted} for a bologna: player: {error}; end the program \
                 that uses the port, or write {{port}} in the command"
            ))
        })?;
        let given = listener.local_addr().map_or(wanted, |address| address.port());
        Self::start_at(&listener, given, words, side, config).map_err(StartError::Player)
    }

    /// Starts the program and serves it at this port.
    fn start_at(
        listener: &TcpListener,
        port: u16,
        words: &[String],
        side: Side,
        config: &MatchConfig,
    ) -> Result<Self, String> {
        let movetime = config.limits.movetime().unwrap_or_default();
        let words: Vec<_> = words
            .iter()
            .map(|word| {
                let role = if side == Side::First { "white" } else { "black" };
                word.replace("{role}", role)
                    .replace("{ROLE}", &role.to_uppercase())
                    .replace("{time}", &movetime.as_secs_f64().ceil().to_string())
                    .replace("{host}", "127.0.0.1")
                    .replace("{port}", &port.to_string())
            })
            .collect();
        let (name, arguments) = words.split_first().ok_or("has no command")?;
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process =
            ProcessTree::spawn(command).map_err(|error| format!("cannot be started: {error}"))?;
        let stream = accept(listener, &process, config.patience.max(CONNECT_TIMEOUT))?;
        Self::greet(stream, config.patience, config.overrun, Some(process))
    }

    /// Waits, without a limit, for a client that was started elsewhere.
    ///
    /// # Errors
    /// The port cannot be served. A client that sends no name is let go, and the next one
    /// waited for.
    pub(in super::super) fn wait_at(
        listener: &TcpListener,
        patience: Duration,
        overrun: Duration,
    ) -> io::Result<Self> {
        loop {
            let (stream, _) = listener.accept()?;
            if let Ok(client) = Self::greet(stream, patience, overrun, None) {
                return Ok(client);
            }
        }
    }

    /// Receives the client's name.
    fn greet(
        stream: TcpStream,
        patience: Duration,
        overrun: Duration,
        process: Option<ProcessTree>,
    ) -> Result<Self, String> {
        // Messages are short and the client waits for them.
        _ = stream.set_nodelay(true);
        let name = receive_name(&mut TimedStream::new(&stream, patience))
            .map_err(|error| late_or_failed(&error, "name", patience))?;
        Ok(Self { stream, name, patience, overrun, last_sent: None, _process: process })
    }

    /// The name that it sent, with the characters that the competition's server keeps.
    pub(in super::super) fn name(&self) -> String {
        self.name.chars().filter(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    }

    /// Sends the position, as the competition's server does at the start and
    /// after each move, but with a [`MESSAGE_GAP`] between two.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn show_position(
        &mut self,
        history: &GameHistory<AnyPosition>,
    ) -> Result<(), String> {
        let state =
            StateMessage::new(history.position(), history.turn()).ok_or("cannot play this game")?;
        self.send_state(&state).map_err(failure)
    }

    /// Sends how the game ended, where the rules alone do not say it.
    pub(super) fn show_result(&mut self, history: &GameHistory<AnyPosition>, result: GameResult) {
        if let Some(state) = StateMessage::new(history.position(), history.turn()) {
            // A client that has gone learns it from the closed connection.
            _ = self.send_state(&StateMessage { turn: TurnField::of_result(result), ..state });
        }
    }

    fn send_state(&mut self, state: &StateMessage) -> Result<(), ProtocolError> {
        thread::sleep(remaining_gap(self.last_sent, Instant::now()));
        // A client that does not read must not block the match either.
        send(&mut TimedStream::new(&self.stream, self.patience), state)?;
        self.last_sent = Some(Instant::now());
        Ok(())
    }

    /// Waits for the client's move.
    ///
    /// # Errors
    /// The client gives no legal move in time; the text says what it did.
    pub(super) fn choose_move(
        &mut self,
        history: &GameHistory<AnyPosition>,
        limits: MoveLimits,
    ) -> Result<AnyMove, NoMove> {
        let time = limits.deadline(history, self.overrun);
        let answer: MoveMessage = receive(&mut TimedStream::new(&self.stream, time), "a move")
            .map_err(|error| {
                let reason = late_or_failed(&error, "move", time);
                match error {
                    ProtocolError::TimedOut => NoMove::Late(reason),
                    _ => NoMove::Failed(reason),
                }
            })?;
        let text = answer.to_string();
        match history.parse(&text) {
            Ok(Ply::Move(mv)) => Ok(mv),
            // A message has two squares, so it is no throw.
            Ok(Ply::Throw(_)) => Err(NoMove::Failed(format!("answers '{text}', a throw"))),
            Err(why) => Err(NoMove::Refused(RefusedMove { text, why })),
        }
    }
}

/// A broken connection as the reason of a forfeit, which follows the player's name.
fn failure(error: impl fmt::Display) -> String {
    format!("fails: {error}")
}

/// Why a message was not received in `time`, as the reason of a forfeit.
fn late_or_failed(error: &ProtocolError, message: &str, time: Duration) -> String {
    if matches!(error, ProtocolError::TimedOut) {
        format!(
            "sends no {message} within {} s; a larger --patience gives it more time",
            time.as_secs_f64()
        )
    } else {
        failure(error)
    }
}

/// How long to wait from `now` until the next message may be sent.
fn remaining_gap(last_sent: Option<Instant>, now: Instant) -> Duration {
    last_sent
        .map_or(Duration::ZERO, |at| MESSAGE_GAP.saturating_sub(now.saturating_duration_since(at)))
}

/// Waits for the program to connect.
fn accept(
    listener: &TcpListener,
    process: &ProcessTree,
    timeout: Duration,
) -> Result<TcpStream, String> {
    let failed = |error: std::io::Error| format!("cannot connect: {error}");
    listener.set_nonblocking(true).map_err(failed)?;
    let started = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).map_err(failed)?;
                return Ok(stream);
            }
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(failed(error)),
            Err(_) => {}
        }
        if let Some(status) = process.exit_status() {
            return Err(format!("has ended before it connected ({status})"));
        }
        if started.elapsed() > timeout {
            return Err(format!(
                "does not connect within {} s; a --patience above {} gives it more time",
                timeout.as_secs_f64(),
                timeout.as_millis()
            ));
        }
        thread::sleep(POLL_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_client_is_told_how_to_get_more_time() {
        let late = late_or_failed(&ProtocolError::TimedOut, "move", Duration::from_millis(2500));
        assert_eq!(late, "sends no move within 2.5 s; a larger --patience gives it more time");
        let closed = late_or_failed(&ProtocolError::Closed, "move", Duration::from_secs(1));
        assert_eq!(closed, "fails: the connection was closed");
    }

    #[test]
    fn two_messages_in_a_row_have_a_gap() {
        let sent = Instant::now();
        assert_eq!(remaining_gap(None, sent), Duration::ZERO);
        assert_eq!(remaining_gap(Some(sent), sent), MESSAGE_GAP);
        let later = sent + MESSAGE_GAP / 4;
        assert_eq!(remaining_gap(Some(sent), later), MESSAGE_GAP - MESSAGE_GAP / 4);
        // The opponent has taken longer than the gap.
        assert_eq!(remaining_gap(Some(sent), sent + 10 * MESSAGE_GAP), Duration::ZERO);
        assert_eq!(remaining_gap(Some(later), sent), MESSAGE_GAP, "a clock that went back");
    }
}
