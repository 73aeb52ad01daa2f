//! `tabulae bologna`: a player of Bologna's Tablut competition.

pub(super) mod wire;

use std::{
    io::Write,
    net::{TcpStream, ToSocketAddrs},
    num::NonZeroU16,
    thread,
    time::{Duration, Instant},
};

use crate::{
    engines::{
        EngineOptions, EngineState, Info, Level, Request, SearchLimits, StopSignal,
        search_with_state,
    },
    games::{AnyMove, AnyPosition, Line, Ply, Side, Turn},
};

use self::wire::{Action, Phase, RULES, State, WireError, port, receive, send};
use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The side to play
    #[arg(long)]
    role: Role,
    /// Where the server is
    #[arg(long, default_value = "localhost")]
    host: String,
    /// Its port for this side; 5800 for white and 5801 for black by default
    #[arg(long)]
    port: Option<NonZeroU16>,
    /// The name to play under
    #[arg(long, default_value = "Tabulae")]
    name: String,
    /// The seconds a move may take; somewhat less is used
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    time: Duration,
    /// How well to play
    #[arg(long, default_value_t = Level::Master)]
    level: Level,
    /// Threads to think with
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Memory for positions looked at, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash: usize,
    /// The seconds to go on trying while nobody answers at that port
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    patience: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Role {
    White,
    Black,
}

impl Role {
    const fn side(self) -> Side {
        match self {
            Self::White => Side::First,
            Self::Black => Side::Second,
        }
    }
}

/// Reads seconds, parts of them allowed.
fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| *time <= Duration::from_secs(86_400))
        .ok_or_else(|| "expected seconds, from 0 to 86400".to_owned())
}

/// What is used of the time for a move: the rest is for the way there and back,
/// and for a server that is busy.
fn thinking_time(time: Duration) -> Duration {
    let margin = (time / 10).clamp(Duration::from_millis(100), Duration::from_millis(1500));
    time.saturating_sub(margin).max(Duration::from_millis(20))
}

/// Between two tries to reach the server.
const PAUSE: Duration = Duration::from_millis(200);

/// Plays one game.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let side = args.role.side();
    let number = args.port.map_or(port(side), NonZeroU16::get);
    let server = format!("{}:{number}", args.host);
    let mut stream = connect(&args.host, number, args.patience)
        .map_err(|error| Failure::Wrong(format!("cannot reach the server at {server}: {error}")))?;
    let mut out = std::io::stdout();
    let name = RULES.side_name(side);
    writeln!(out, "{} plays {name} at {server}", args.name)?;
    let mut game = Follower::new();
    let gone = |game: &Follower, error: WireError| {
        Failure::Wrong(format!("the server at {server}, after {} plies: {error}", game.line.len()))
    };
    send(&mut stream, &args.name).map_err(|error| gone(&game, error))?;
    loop {
        let state: State =
            receive(&mut stream, "the state of a game").map_err(|error| gone(&game, error))?;
        let Some(on_turn) = state.turn.side() else {
            let word = match state.turn {
                Phase::WhiteWin => "White has won",
                Phase::BlackWin => "Black has won",
                _ => "a draw",
            };
            writeln!(out, "the game is over: {word}")?;
            return Ok(());
        };
        if let Some(notice) = game.follow(&state).map_err(Failure::Wrong)? {
            eprintln!("tabulae: {notice}");
        }
        if on_turn == side {
            let mv = game.choose(args, &mut out)?;
            send(&mut stream, &mv).map_err(|error| gone(&game, error))?;
        }
    }
}

/// Reaches the server, trying again until the patience is over.
fn connect(host: &str, port: u16, patience: Duration) -> Result<TcpStream, String> {
    let begun = Instant::now();
    loop {
        let found = (host, port).to_socket_addrs().and_then(|mut found| {
            // A name may stand for several addresses; the server is at one.
            let mut last = Err(std::io::Error::other("the name stands for no address"));
            while last.is_err()
                && let Some(address) = found.next()
            {
                let left = patience.saturating_sub(begun.elapsed()).max(PAUSE);
                last = TcpStream::connect_timeout(&address, left);
            }
            last
        });
        match found {
            Ok(stream) => {
                // Moves are short and urgent. Where it can't be had it is no loss.
                _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) if begun.elapsed() + PAUSE >= patience => return Err(error.to_string()),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

/// The game as the server tells it, followed by our rules.
struct Follower {
    line: Line<AnyPosition>,
    /// Nothing was told yet.
    fresh: bool,
    /// The move sent, of which the server has not yet said what came of it.
    sent: Option<AnyMove>,
    /// Moves the server refused in this position.
    refused: Vec<AnyMove>,
    /// What was found on earlier moves.
    engine_state: EngineState,
}

impl Follower {
    fn new() -> Self {
        let line = Line::new(AnyPosition::start(RULES));
        Self {
            line,
            fresh: true,
            sent: None,
            refused: Vec::new(),
            engine_state: EngineState::new(),
        }
    }

    /// Takes in a state of a game that goes on; a notice when it is not what
    /// the rules make of the last one.
    ///
    /// # Errors
    /// A board that cannot be.
    fn follow(&mut self, state: &State) -> Result<Option<String>, String> {
        let told =
            state.position().map_err(|error| format!("the server's board cannot be: {error}"))?;
        let fresh = std::mem::replace(&mut self.fresh, false);
        let sent = self.sent.take();
        if told == *self.line.position() {
            // The same board again: it did not take our move.
            return Ok(sent.map(|mv| {
                self.refused.push(mv);
                format!("the server does not take {mv}")
            }));
        }
        self.refused.clear();
        let leads_there = |mv: &AnyMove| {
            let mut next = self.line.clone();
            next.push(Ply::Move(*mv)).is_ok() && *next.position() == told
        };
        if let Some(mv) = self.line.legal_moves().into_iter().find(leads_there) {
            // It was tried just now.
            _ = self.line.push(Ply::Move(mv));
            if self.line.turn().end().is_none() {
                return Ok(None);
            }
        }
        let plies = self.line.len();
        self.line = Line::new(told);
        let text = format!(
            "the server's board is not what the rules make of the game so far ({plies} plies); \
             going on from its board"
        );
        Ok((!fresh).then_some(text))
    }

    /// Thinks of a move and says what it thought.
    fn choose(&mut self, args: &Args, out: &mut impl Write) -> Result<Action, Failure> {
        let request = Request {
            line: self.line.clone(),
            limits: SearchLimits {
                movetime: Some(thinking_time(args.time)),
                ..SearchLimits::default()
            },
            options: EngineOptions {
                level: args.level,
                threads: args.threads.max(1),
                hash_mib: args.hash.max(1),
                ..EngineOptions::default()
            },
        };
        let mut last: Option<Info> = None;
        let best =
            search_with_state(&self.engine_state, &request, &StopSignal::default(), &mut |info| {
                last = Some(info.clone());
            });
        let is_new = |mv: &AnyMove| !self.refused.contains(mv);
        let best = best.filter(is_new).or_else(|| self.line.legal_moves().into_iter().find(is_new));
        let (Some(AnyMove::Tablut(mv)), Turn::Move(side)) = (best, self.line.turn()) else {
            return Err(Failure::Wrong(format!(
                "the server wants a move, and there is none it takes: {}",
                self.line.position()
            )));
        };
        self.sent = best;
        let thought = last.map_or_else(String::new, |info| {
            format!(" ({}, depth {}, {:.1} s)", info.score, info.depth, info.time.as_secs_f64())
        });
        let number = self.line.len() / 2 + 1;
        writeln!(out, "{number}. {mv}{thought}")?;
        Ok(Action::new(mv, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_of_the_time_is_left() {
        let millis = |time| thinking_time(Duration::from_millis(time)).as_millis();
        assert_eq!([0, 100, 1000, 2000, 60_000].map(millis), [20, 20, 900, 1800, 58_500]);
    }

    #[test]
    fn what_the_server_refuses_is_not_played_again() {
        let mut game = Follower::new();
        let state = State::of(game.line.position(), game.line.turn()).unwrap();
        assert_eq!(game.follow(&state), Ok(None));
        let mv = game.line.legal_moves()[0];
        game.sent = Some(mv);
        let notice = game.follow(&state).unwrap().unwrap();
        assert_eq!(notice, format!("the server does not take {mv}"));
        assert_eq!(game.refused, [mv]);
    }

    #[test]
    fn a_board_from_nowhere_is_gone_on_from() {
        let mut game = Follower::new();
        let text = "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 b";
        let other = AnyPosition::parse(RULES, text).unwrap();
        let state = State::of(&other, Line::new(other.clone()).turn()).unwrap();
        game.fresh = false;
        let notice = game.follow(&state).unwrap().unwrap();
        assert!(notice.contains("going on from its board"), "{notice}");
        assert_eq!(game.line.position(), &other);
    }
}
