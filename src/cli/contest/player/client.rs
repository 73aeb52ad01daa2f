//! A player of Bologna's competition: a program that connects to a server,
//! which here is the match itself.

use std::{
    io::ErrorKind,
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    cli::bologna::wire::{Action, State, port, receive, receive_name, send},
    games::{AnyMove, AnyPosition, GameHistory, Ply, Side},
};

use super::{super::game::Terms, Process};

/// How long a client may take to connect: some fill large tables first.
const ARRIVAL: Duration = Duration::from_secs(60);
/// Between two messages to a client. Many take whatever has come by now for one
/// message, and wait for ever for the second.
const SPACE: Duration = Duration::from_millis(200);
/// Between two looks whether the client has come.
const PAUSE: Duration = Duration::from_millis(10);

/// A running client. It is ended when the game is.
pub(in super::super) struct Client {
    stream: TcpStream,
    patience: Duration,
    /// How many positions of the game it was told.
    told: usize,
    /// When it was told the last.
    told_at: Option<Instant>,
    _process: Process,
}

impl Client {
    /// Starts it and waits until it has connected and said its name.
    ///
    /// In its command `{role}` stands for `white` or `black`, `{ROLE}` for the
    /// same in capitals, `{time}` for the
    /// seconds a move may take, rounded up, `{host}` and `{port}` for where the
    /// server is. Without a `{port}` the client is waited for at the
    /// competition's own.
    pub(super) fn start(words: &[String], side: Side, terms: &Terms) -> Result<Self, String> {
        let own_port = words.iter().any(|word| word.contains("{port}"));
        let wanted = if own_port { 0 } else { port(side) };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted))
            .map_err(|error| format!("finds port {wanted} taken: {error}"))?;
        let given = listener.local_addr().map_or(wanted, |address| address.port());
        let words: Vec<_> = words
            .iter()
            .map(|word| {
                let role = if side == Side::First { "white" } else { "black" };
                word.replace("{role}", role)
                    .replace("{ROLE}", &role.to_uppercase())
                    .replace("{time}", &terms.movetime.as_secs_f64().ceil().to_string())
                    .replace("{host}", "127.0.0.1")
                    .replace("{port}", &given.to_string())
            })
            .collect();
        let (name, arguments) = words.split_first().ok_or("has no command")?;
        let child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let mut process = Process(child);
        let mut stream = accept(&listener, &mut process)?;
        // Boards are short and waited for.
        _ = stream.set_nodelay(true);
        let patience = Some(terms.patience);
        stream.set_read_timeout(patience).map_err(|error| error.to_string())?;
        // One that doesn't read its boards doesn't hold the match up either.
        stream.set_write_timeout(patience).map_err(|error| error.to_string())?;
        receive_name(&mut stream).map_err(|error| error.to_string())?;
        Ok(Self { stream, patience: terms.patience, told: 0, told_at: None, _process: process })
    }

    /// Tells it the positions it doesn't know yet: each as soon as it is there,
    /// as the competition's server does, but with a [`SPACE`] between two.
    pub(super) fn watch(&mut self, line: &GameHistory<AnyPosition>) -> Result<(), String> {
        while self.told <= line.len() {
            let mut so_far = line.clone();
            so_far.truncate(self.told);
            let state =
                State::of(so_far.position(), so_far.turn()).ok_or("can't play this game")?;
            thread::sleep(rest(self.told_at, Instant::now()));
            send(&mut self.stream, &state).map_err(|error| error.to_string())?;
            (self.told, self.told_at) = (self.told + 1, Some(Instant::now()));
        }
        Ok(())
    }

    pub(super) fn choose(
        &mut self,
        line: &GameHistory<AnyPosition>,
        movetime: Duration,
    ) -> Result<AnyMove, String> {
        self.stream
            .set_read_timeout(Some(movetime + self.patience))
            .map_err(|error| error.to_string())?;
        let action: Action =
            receive(&mut self.stream, "a move").map_err(|error| error.to_string())?;
        let text = action.to_string();
        match line.parse(&text) {
            Ok(Ply::Move(mv)) => Ok(mv),
            Ok(Ply::Throw(_)) => Err(format!("answers '{text}', which is a throw")),
            Err(illegal) => Err(format!("plays '{text}': {illegal}")),
        }
    }
}

/// How long to wait at `now` before a client is told something more.
fn rest(told_at: Option<Instant>, now: Instant) -> Duration {
    told_at.map_or(Duration::ZERO, |at| SPACE.saturating_sub(now.saturating_duration_since(at)))
}

/// Waits for the program to connect.
fn accept(listener: &TcpListener, process: &mut Process) -> Result<TcpStream, String> {
    let failed = |error: std::io::Error| format!("cannot be waited for: {error}");
    listener.set_nonblocking(true).map_err(failed)?;
    let begun = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).map_err(failed)?;
                return Ok(stream);
            }
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(failed(error)),
            Err(_) => {}
        }
        if let Ok(Some(status)) = process.0.try_wait() {
            return Err(format!("has ended before it connected ({status})"));
        }
        if begun.elapsed() > ARRIVAL {
            return Err(format!("does not connect in {} s", ARRIVAL.as_secs()));
        }
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_messages_in_a_row_keep_their_distance() {
        let told = Instant::now();
        assert_eq!(rest(None, told), Duration::ZERO);
        assert_eq!(rest(Some(told), told), SPACE);
        let later = told + SPACE / 4;
        assert_eq!(rest(Some(told), later), SPACE - SPACE / 4);
        // The clock of a slow opponent has kept it already.
        assert_eq!(rest(Some(told), told + 10 * SPACE), Duration::ZERO);
        assert_eq!(rest(Some(later), told), SPACE, "nor does it end where clocks go back");
    }
}
