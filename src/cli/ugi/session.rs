//! The commands of one UGI session.

use std::io::StdinLock;

use crate::{
    cli::{
        lines::{Dialogue, Lines},
        prelude::*,
        unused_threads,
    },
    engines::{EngineState, preload},
    games::Announcement,
};

use super::{
    go::{GoCommand, SearchCommand},
    options::{OptionKind, UgiOptions},
    print_line,
    search::{Release, SearchThread, Task, print_best_move},
};

/// The commands, for errors.
const COMMANDS: &str = "ugi, isready, setoption, uginewgame, position, go, stop, ponderhit, query \
                        or quit";

/// The state of a session: the options, the position, and the running search.
pub(super) struct UgiSession {
    lines: Lines<StdinLock<'static>>,
    options: UgiOptions,
    history: GameHistory<AnyPosition>,
    search: Option<SearchThread>,
    /// The search tables, kept from move to move.
    engine_state: EngineState,
}

/// Why a line was not carried out.
enum LineError {
    /// The line is wrong, and is answered with an `error` line. It has changed nothing.
    Wrong(String),
    /// Stdout cannot be written.
    Output(io::Error),
}

impl From<String> for LineError {
    fn from(error: String) -> Self {
        Self::Wrong(error)
    }
}

impl From<io::Error> for LineError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Dialogue for UgiSession {
    fn next_line(&mut self) -> Result<Option<String>, CommandError> {
        let line = self.lines.next()?;
        if line.is_none() {
            // A search with a limit still finishes.
            self.search.take().map_or(Ok(()), SearchThread::finish)?;
        }
        Ok(line)
    }

    fn answer(&mut self, line: &str) -> Result<bool, CommandError> {
        match self.command(line) {
            Ok(goes_on) => Ok(goes_on),
            Err(LineError::Wrong(error)) => {
                print_error(&error)?;
                Ok(true)
            }
            Err(LineError::Output(error)) => Err(error.into()),
        }
    }
}

impl UgiSession {
    /// A session with the default options, which reads standard input.
    pub(super) fn new() -> Self {
        let options = UgiOptions::default();
        let history = GameHistory::new(AnyPosition::start(options.rules));
        let (lines, engine_state) = (Lines::of_stdin(), EngineState::new());
        Self { lines, options, history, search: None, engine_state }
    }

    /// Carries out one line; false for `quit`.
    fn command(&mut self, line: &str) -> Result<bool, LineError> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" => {}
            "ugi" => print_identity()?,
            "isready" => {
                // Loading costs the first search no time of its clock.
                preload(self.options.rules);
                print_line("readyok")?;
            }
            "uginewgame" => {
                self.stop()?;
                self.engine_state.clear();
                self.history = GameHistory::new(AnyPosition::start(self.options.rules));
            }
            "setoption" => self.set_option(rest)?,
            "position" => {
                let history = self.parse_position(rest)?;
                self.stop()?;
                self.history = history;
            }
            "go" => self.go(rest)?,
            "stop" => self.stop()?,
            "ponderhit" => {
                if let Some(search) = &mut self.search {
                    search.ponder_hit();
                }
            }
            "query" => {
                let answer = answer_query(&self.history, rest).ok_or_else(|| {
                    format!(
                        "unknown query '{rest}': expected gameover, p1turn, result, fen, legal or \
                         events"
                    )
                })?;
                print_line(format!("response {answer}").trim_end())?;
            }
            "quit" => {
                self.stop()?;
                return Ok(false);
            }
            _ => return Err(format!("unknown command '{command}': expected {COMMANDS}").into()),
        }
        Ok(true)
    }

    fn stop(&mut self) -> io::Result<()> {
        self.search.take().map_or(Ok(()), SearchThread::stop)
    }

    fn set_option(&mut self, text: &str) -> Result<(), LineError> {
        let mut options = self.options.clone();
        let changed = options.set(text)?;
        self.stop()?;
        self.options = options;
        match changed {
            OptionKind::Rules => {
                // For a program that does not send isready.
                preload(self.options.rules);
                self.history = GameHistory::new(AnyPosition::start(self.options.rules));
            }
            OptionKind::Threads => {
                if let Some(unused) = unused_threads(self.options.engine.threads) {
                    print_line(&format!("info string {unused}"))?;
                }
            }
            OptionKind::Search => {}
        }
        Ok(())
    }

    /// Parses `startpos` or `fen POSITION`, then `moves` and plies.
    fn parse_position(&self, text: &str) -> Result<GameHistory<AnyPosition>, String> {
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let before: Vec<_> = words.by_ref().take_while(|word| *word != "moves").collect();
        let start = match kind {
            "startpos" if before.is_empty() => AnyPosition::start(self.options.rules),
            "fen" => AnyPosition::parse(self.options.rules, &before.join(" "))
                .map_err(|error| error.to_string())?,
            "startpos" => {
                return Err(format!("expected moves after startpos, found '{}'", before[0]));
            }
            _ => return Err(format!("expected startpos or fen after position, found '{kind}'")),
        };
        let mut history = GameHistory::new(start);
        for (index, word) in words.enumerate() {
            history
                .parse(word)
                .and_then(|ply| history.push(ply).map(|_| ()))
                .map_err(|reason| format!("illegal move {word} at ply {}: {reason}", index + 1))?;
        }
        Ok(history)
    }

    /// Carries out `go`: starts the search, or answers with `bestmove none`, after an
    /// `error` line if `go` is wrong.
    fn go(&mut self, text: &str) -> io::Result<()> {
        if let Some(search) = &self.search
            && search.refuse("a search is running: send stop first")?
        {
            return Ok(());
        }
        self.stop()?;
        let started = self.prepare(text).and_then(|search| {
            let Some((task, stop, release)) = search else { return Ok(None) };
            let started = SearchThread::start(task, stop, release);
            started.map(Some).map_err(|error| format!("cannot start a search: {error}"))
        });
        match started {
            Ok(Some(search)) => {
                self.search = Some(search);
                return Ok(());
            }
            Ok(None) => {}
            Err(error) => print_error(&error)?,
        }
        print_best_move(None)
    }

    /// What `go` with these arguments starts; `None` when the game is over.
    fn prepare(&self, text: &str) -> Result<Option<(Task, StopSignal, Release)>, String> {
        let command = GoCommand::parse(text, self.history.position().side())?;
        let rules = self.history.position().rules();
        match (self.history.turn(), command) {
            (_, GoCommand::Perft(_)) if rules.has_sticks() => Err(format!(
                "cannot count moves of {rules}: perft is not for dice; expected rules without throws"
            )),
            (Turn::Throw(_), _) => {
                Err("a throw is due: expected t0 to t4 as the last move of position".to_owned())
            }
            (Turn::Over(_), _) => Ok(None),
            (Turn::Move(_), GoCommand::Perft(depth)) => {
                let task = Task::Perft(self.history.position().clone(), depth);
                Ok(Some((task, StopSignal::default(), Release::SearchEnd)))
            }
            (Turn::Move(_), GoCommand::Search(command)) => Ok(Some(self.search_task(command))),
        }
    }

    fn search_task(&self, command: SearchCommand) -> (Task, StopSignal, Release) {
        let mut options = self.options.engine.clone();
        // An infinite search is analysis: a draw is even, and it looks at all moves.
        options.contempt &= !command.infinite;
        options.book &= !command.infinite;
        let limits = command.limits.unwrap_or_else(|| options.level.limits());
        let request = Request { history: self.history.clone(), limits, options };
        let state = self.engine_state.clone();
        let task = Task::Search { state, request, lines: self.options.lines };
        let stop = StopSignal::with_soft_limit(command.soft_limit);
        let stop = if command.ponder { stop.pondering() } else { stop };
        (task, stop, command.release())
    }
}

fn print_error(error: &str) -> io::Result<()> {
    print_line(&format!("error {}", on_one_line(error)))
}

/// Answers `ugi`.
fn print_identity() -> io::Result<()> {
    print_line(&format!("id name Tabulae {}", env!("CARGO_PKG_VERSION")))?;
    print_line("id author the Tabulae authors")?;
    for line in UgiOptions::declarations() {
        print_line(&line)?;
    }
    print_line("ugiok")
}

/// The answer to `query WHAT`; `None` for an unknown query.
///
/// - `gameover`: whether the game has ended, by repetition as well.
/// - `p1turn`: whether the side that moves first by the rules is to move or to
///   throw.
/// - `result`: `p1win`, `p2win`, `draw`, or `none` while the game goes on.
/// - `fen`: the position's text.
/// - `legal`: the legal moves, sorted as text; none when a throw is due.
/// - `events`: the events of the last ply, as [`event_word`] writes them.
fn answer_query(history: &GameHistory<AnyPosition>, what: &str) -> Option<String> {
    Some(match what {
        "gameover" => history.turn().end().is_some().to_string(),
        "p1turn" => (history.position().side() == Side::First).to_string(),
        "result" => history.turn().end().map_or("none", |end| end.result()).to_owned(),
        "fen" => history.position().to_string(),
        "legal" => {
            let mut moves: Vec<_> = history.legal_moves().iter().map(ToString::to_string).collect();
            moves.sort_unstable();
            moves.join(" ")
        }
        "events" => {
            let words: Vec<_> =
                history.events(history.len()).iter().filter_map(event_word).collect();
            words.join(" ")
        }
        _ => return None,
    })
}

/// The protocol's word for an event; `None` for plain movements and throws.
fn event_word(event: &Event) -> Option<String> {
    Some(match event {
        Event::Captured { at, .. } => format!("captured:{at}"),
        Event::PavilionRaised { at, .. } => format!("pavilion:{at}"),
        Event::Announced(Announcement::Raichi) => "raichi".to_owned(),
        Event::Announced(Announcement::Tuichi) => "tuichi".to_owned(),
        Event::Passed { .. } => "passed".to_owned(),
        Event::Lost { .. } => "lost".to_owned(),
        Event::Ended(end) => format!("ended:{}", end.reason),
        _ => return None,
    })
}
