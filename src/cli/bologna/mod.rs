//! `tabulae bologna`: a client of Bologna's Tablut competition.

pub(super) mod protocol;

use std::{
    net::{TcpStream, ToSocketAddrs},
    num::{NonZeroU16, NonZeroUsize},
    thread,
};

use crate::{
    cli::prelude::*,
    engines::{EngineState, Info, search_excluding},
};

use self::protocol::{
    COMPETITION_RULES, MoveMessage, ProtocolError, StateMessage, TimedStream, TurnField,
    default_port, receive, send,
};
use super::{match_runner::referee, tell_unused_threads};

#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  tabulae bologna --role white --time 60 --host 192.168.1.20
  tabulae bologna serve --list programs.txt --logs logs"
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Subcommand>,
    /// Play this side
    #[arg(long, value_name = "SIDE", required = true)]
    role: Option<Role>,
    /// Connect to this host name or address
    #[arg(long, value_name = "HOST", default_value = "localhost")]
    host: String,
    /// Connect to this port [default: 5800 for white, 5801 for black]
    #[arg(long, value_name = "PORT", value_parser = values::above_zero::<NonZeroU16>())]
    port: Option<NonZeroU16>,
    /// Send this name to the server as the player's name
    #[arg(long, value_name = "NAME", default_value = "Tabulae")]
    name: String,
    /// Set the time for each move, in seconds; the engine uses up to 1.5 s less, to
    /// answer in time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = values::seconds_for_a_move)]
    time: Duration,
    /// Play at this level
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Master, value_parser = values::level())]
    level: Level,
    /// Search with this many threads
    #[arg(long, value_name = "THREADS", default_value = "1")]
    #[arg(value_parser = values::above_zero::<NonZeroUsize>())]
    threads: NonZeroUsize,
    /// Set the size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = values::above_zero::<NonZeroUsize>())]
    hash: NonZeroUsize,
    /// Keep trying to connect for this time, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = values::seconds)]
    patience: Duration,
    /// Print only how the game ended, not the moves
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// Referee games between clients of the competition, as its server does
    ///
    /// Without players, waits for a client at White's port and for one at Black's, plays
    /// their game, and waits again. With players, starts them and plays a tournament in
    /// which all play all, on both sides; a tournament that was interrupted continues
    /// with --state when you run the same command again.
    ///
    /// An illegal move loses the game, unless --errors permits it. A move that is more
    /// than a second late loses the game, too.
    Serve(referee::Args),
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

/// The search time within the time for a move. The margin covers the network and a
/// busy server.
fn search_time(time: Duration) -> Duration {
    let margin = (time / 10).clamp(Duration::from_millis(100), Duration::from_millis(1500));
    time.saturating_sub(margin).max(Duration::from_millis(20))
}

/// Pause between two attempts to connect.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Plays one game, or runs the referee.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    if let Some(Subcommand::Serve(args)) = &args.command {
        return referee::run(args);
    }
    let Some(role) = args.role else {
        return Err(CommandError::usage("cannot play without a side: give --role"));
    };
    tell_unused_threads(args.threads.get());
    let side = role.side();
    let port = args.port.map_or(default_port(side), NonZeroU16::get);
    let server = format!("{}:{port}", args.host);
    let mut stream = connect(&args.host, port, args.patience).map_err(|error| {
        CommandError::Failed(format!("cannot reach the server at {server}: {error}"))
    })?;
    let mut out = stdout();
    let mut chatter: Box<dyn Write> =
        if args.quiet { Box::new(std::io::sink()) } else { Box::new(stdout()) };
    let name = COMPETITION_RULES.side_name(side);
    writeln!(chatter, "{} plays {name} at {server}", args.name)?;
    let mut game = ServerGame::new();
    let broken = |game: &ServerGame, error: ProtocolError| {
        CommandError::Failed(format!(
            "cannot continue the game at {server} after {}: {error}",
            counted(game.history.len(), "ply", "plies")
        ))
    };
    send(&mut stream, &args.name).map_err(|error| broken(&game, error))?;
    loop {
        let state = receive_state(&stream, REST).map_err(|error| broken(&game, error))?;
        let Some(on_turn) = state.turn.side() else {
            let result = match state.turn {
                TurnField::WhiteWin => "White has won",
                TurnField::BlackWin => "Black has won",
                _ => "a draw",
            };
            writeln!(out, "the game is over: {result}")?;
            return Ok(());
        };
        if let Some(notice) = game.update(&state).map_err(CommandError::Failed)? {
            print_error_line!("tabulae: {notice}");
        }
        if on_turn == side {
            let mv = game.choose_move(args, &mut chatter)?;
            send(&mut stream, &mv).map_err(|error| broken(&game, error))?;
        }
    }
}

/// Connects to the server, with retries for the time of `patience`.
fn connect(host: &str, port: u16, patience: Duration) -> Result<TcpStream, String> {
    let started = Instant::now();
    loop {
        let connected = (host, port).to_socket_addrs().and_then(|mut addresses| {
            // A name may have several addresses; the server listens at one.
            let mut last = Err(std::io::Error::other("no address found for the host name"));
            while last.is_err()
                && let Some(address) = addresses.next()
            {
                let left = patience.saturating_sub(started.elapsed()).max(RETRY_INTERVAL);
                last = TcpStream::connect_timeout(&address, left);
            }
            last
        });
        match connected {
            Ok(stream) => {
                // Messages are short and urgent; an error here only costs time.
                _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) if started.elapsed() + RETRY_INTERVAL >= patience => {
                return Err(error.to_string());
            }
            Err(_) => thread::sleep(RETRY_INTERVAL),
        }
    }
}

/// The time for the rest of a message that has begun.
const REST: Duration = Duration::from_secs(10);

/// Receives the state of a game. Its start may come when it likes, after the opponent's
/// thought; then it must arrive whole within `rest`.
fn receive_state(stream: &TcpStream, rest: Duration) -> Result<StateMessage, ProtocolError> {
    stream.set_read_timeout(None)?;
    stream.peek(&mut [0])?;
    receive(&mut TimedStream::new(stream, rest), "the state of a game")
}

/// The server's game, replayed by our rules.
struct ServerGame {
    history: GameHistory<AnyPosition>,
    /// Whether no state has been received yet.
    is_new: bool,
    /// The last move sent, until the server answers with a state.
    pending: Option<AnyMove>,
    /// Moves that the server has refused in this position.
    refused: Vec<AnyMove>,
    /// The search tables, kept from move to move.
    engine_state: EngineState,
}

impl ServerGame {
    fn new() -> Self {
        let history = GameHistory::new(AnyPosition::start(COMPETITION_RULES));
        Self {
            history,
            is_new: true,
            pending: None,
            refused: Vec::new(),
            engine_state: EngineState::new(),
        }
    }

    /// Follows the server to its state, of a game that is not over. Returns a notice
    /// when the server refused our move, or when the state does not follow from the
    /// last one by the rules.
    ///
    /// # Errors
    /// The board is impossible by the rules.
    fn update(&mut self, state: &StateMessage) -> Result<Option<String>, String> {
        let received =
            state.position().map_err(|error| format!("invalid board from the server: {error}"))?;
        let is_new = std::mem::replace(&mut self.is_new, false);
        let pending = self.pending.take();
        if received == *self.history.position() {
            // The same board again: the server refused our move.
            return Ok(pending.map(|mv| {
                self.refused.push(mv);
                format!("the server refused the move {mv}")
            }));
        }
        self.refused.clear();
        let leads_there = |mv: &AnyMove| {
            let mut next = self.history.clone();
            next.push(Ply::Move(*mv)).is_ok() && *next.position() == received
        };
        if let Some(mv) = self.history.legal_moves().into_iter().find(leads_there) {
            // Legal, as `leads_there` has just tried.
            _ = self.history.push(Ply::Move(mv));
            if self.history.turn().end().is_none() {
                return Ok(None);
            }
        }
        let plies = self.history.len();
        self.history = GameHistory::new(received);
        let text = format!(
            "the server's board does not follow from the game by the rules (after {}); \
             continuing from its board",
            counted(plies, "ply", "plies")
        );
        Ok((!is_new).then_some(text))
    }

    /// Searches for a move and prints it with its evaluation.
    fn choose_move(
        &mut self,
        args: &Args,
        out: &mut impl Write,
    ) -> Result<MoveMessage, CommandError> {
        let request = Request {
            history: self.history.clone(),
            limits: SearchLimits {
                movetime: Some(search_time(args.time)),
                ..SearchLimits::default()
            },
            options: EngineOptions {
                level: args.level,
                threads: args.threads.get(),
                hash_mib: args.hash.get(),
                book: true,
                ..EngineOptions::default()
            },
        };
        let mut last: Option<Info> = None;
        let best = search_excluding(
            &self.engine_state,
            &request,
            &self.refused,
            &StopSignal::default(),
            &mut |info| last = Some(info.clone()),
        );
        let (Some(AnyMove::Tablut(mv)), Turn::Move(side)) = (best, self.history.turn()) else {
            let why = if self.refused.is_empty() {
                "no move is legal in the server's position"
            } else {
                "the server refused every legal move of"
            };
            return Err(CommandError::Failed(format!(
                "no move left to send: {why} '{}'",
                self.history.position()
            )));
        };
        self.pending = best;
        let evaluation = last.map_or_else(String::new, |info| {
            format!(" ({}, depth {}, {:.1} s)", info.score, info.depth, info.time.as_secs_f64())
        });
        let number = self.history.len() / 2 + 1;
        writeln!(out, "{number}. {mv}{evaluation}")?;
        Ok(MoveMessage::new(mv, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_stops_within_a_message_is_not_waited_for() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let stream = TcpStream::connect(listener.local_addr().expect("an address"));
        let stream = stream.expect("connected");
        let (mut server, _) = listener.accept().expect("a client");
        // A length, and never what it counts.
        server.write_all(&[0, 0, 0, 9, b'"']).expect("sent");
        let received = receive_state(&stream, Duration::from_millis(50));
        assert!(matches!(received, Err(ProtocolError::TimedOut)), "{received:?}");
    }

    #[test]
    fn the_search_leaves_a_margin_of_the_move_time() {
        let millis = |time| search_time(Duration::from_millis(time)).as_millis();
        assert_eq!([0, 100, 1000, 2000, 60_000].map(millis), [20, 20, 900, 1800, 58_500]);
    }

    #[test]
    fn a_refused_move_is_not_played_again() {
        let mut game = ServerGame::new();
        let state = StateMessage::new(game.history.position(), game.history.turn()).unwrap();
        assert_eq!(game.update(&state), Ok(None));
        let mv = game.history.legal_moves()[0];
        game.pending = Some(mv);
        let notice = game.update(&state).unwrap().unwrap();
        assert_eq!(notice, format!("the server refused the move {mv}"));
        assert_eq!(game.refused, [mv]);
    }

    #[test]
    fn the_best_of_the_other_moves_follows_a_refused_one() {
        let args = Args {
            command: None,
            role: Some(Role::White),
            host: "localhost".to_owned(),
            port: None,
            name: "Tabulae".to_owned(),
            time: Duration::from_secs(1),
            level: Level::Master,
            threads: NonZeroUsize::MIN,
            hash: NonZeroUsize::MIN,
            patience: Duration::ZERO,
            quiet: true,
        };
        // The king can escape on both sides.
        let text = "4B4/9/9/9/9/9/4K4/9/W7W w";
        let mut game = ServerGame::new();
        let position = AnyPosition::parse(COMPETITION_RULES, text).unwrap();
        game.history = GameHistory::new(position);
        for _ in 0..2 {
            game.choose_move(&args, &mut std::io::sink()).unwrap();
            game.refused.extend(game.pending.take());
        }
        let mut moves: Vec<_> = game.refused.iter().map(ToString::to_string).collect();
        moves.sort();
        assert_eq!(moves, ["e3-a3", "e3-i3"]);
        game.refused = game.history.legal_moves();
        let none_left = game.choose_move(&args, &mut std::io::sink());
        assert!(matches!(none_left, Err(CommandError::Failed(why)) if why.contains("no move")));
    }

    #[test]
    fn the_game_goes_on_from_an_unexpected_board() {
        let mut game = ServerGame::new();
        let text = "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 b";
        let other = AnyPosition::parse(COMPETITION_RULES, text).unwrap();
        let state = StateMessage::new(&other, GameHistory::new(other.clone()).turn()).unwrap();
        game.is_new = false;
        let notice = game.update(&state).unwrap().unwrap();
        assert!(notice.contains("continuing from its board"), "{notice}");
        assert_eq!(game.history.position(), &other);
    }
}
