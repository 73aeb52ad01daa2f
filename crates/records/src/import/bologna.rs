//! Logs of Bologna's competition server (the "Tablut Challenge").
//!
//! The server logs through Java's logging: a line with date and class, then
//! `LEVEL: message`, both words in the language of the machine. The messages
//! that make a game are
//!
//! - `Players:` and two names with `vs` between, White first;
//! - `Stato:`, nine rows of `O` (empty), `T` (empty throne), `W`, `B`, `K`, then
//!   `-` and the side to move: `W`, `B`, or the end `WW`, `BW`, `D`;
//! - `Turn: W Pawn from e4 to f4`. A legal move is followed by the new board, a
//!   refused one by a message in Italian. A refused move loses the game, unless the
//!   server permits errors: then another move of the same player follows. `from null to
//!   null` is a player who sent no move. The letter behind `Turn:` is the client's and
//!   often wrong or `null`; the boards say whose move it is;
//! - the end by time, or by the length of the game.
//!
//! The server's first row is rank 1, and its square names are kept. The system log,
//! with moves only, and the text of the server's console are parsed as well. Every board
//! is compared with ours.

use crate::reasons;
use crate::{GameResult, Record, RecordError, error::Location, scan::with_line_feeds};
use tabulae_games::{AnyPosition, GameHistory, Reason, RuleSet, Side, write_rank};

const RULES: RuleSet = RuleSet::TablutAshton;
/// How the server's messages about refused moves begin.
const REFUSALS: [&str; 6] = [
    "Formato mossa",
    "Mossa ",
    "Nessuna mossa",
    "Giocatore ",
    "TOO MANY ERRORS FOR ",
    "Error for ",
];
/// How the messages begin that the player on turn has lost on time, behind the name.
const TIMEOUTS: [(&str, &str); 2] = [("Timeout! Player ", " lose!"), ("Player ", " has lost!")];
/// How the messages begin that the game was too long, which draws it.
const TOO_LONG: [&str; 3] = [
    "PARTITA TERMINATA A CAUSA DELLA LUNGHEZZA",
    "TIMEOUT! END OF THE GAME",
    "Chiusura programma per timeout",
];

/// Whether a text has a message of these logs.
pub fn looks_like(text: &str) -> bool {
    with_line_feeds(text).lines().map(message).any(|message| {
        message == "Stato:" || message.starts_with("Players:\t") || turn(message).is_some()
    })
}

/// Parses the games of a log.
///
/// # Errors
/// A move that the server accepted and the rules refuse, a board or an end that
/// differs from ours, or a log without a move.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    read_each(text).into_iter().collect()
}

/// As [`read`], each game by itself.
pub(super) fn read_each(text: &str) -> Vec<Result<Record, RecordError>> {
    let text = with_line_feeds(text);
    let mut games: Vec<LoggedGame> = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    let (mut date, mut names) = (None, [None, None]);
    while let Some((index, line)) = lines.next() {
        let text = message(line);
        date = date.or_else(|| date_of(line));
        let location = |part: &str| {
            let offset = line.find(part).unwrap_or_default();
            Location { line: index + 1, column: line[..offset].chars().count() + 1 }
        };
        if let Some(players) = text.strip_prefix("Players:") {
            let (white, black) = players.split_once("\tvs\t").unwrap_or((players, "?"));
            names = [Some(white.trim().to_owned()), Some(black.trim().to_owned())];
            games.push(LoggedGame::new(date.take(), &names, location("Players:")));
        } else if let Some(name) = text.strip_prefix("White player name:") {
            names[Side::First.index()] = Some(name.trim().to_owned());
        } else if let Some(name) = text.strip_prefix("Black player name:") {
            names[Side::Second.index()] = Some(name.trim().to_owned());
        } else if is_board_row(line) {
            let mut rows = vec![line.trim()];
            while rows.len() < 11 {
                match lines.next_if(|(_, row)| is_row(row)) {
                    Some((_, row)) => rows.push(row.trim()),
                    None => break,
                }
            }
            let at = location(rows[0]);
            current(&mut games, &mut date, &names, at).event(|game| game.board(&rows, at));
        } else if let Some(turn) = turn(text) {
            let at = location(turn.from);
            current(&mut games, &mut date, &names, at).event(|game| game.turn(turn, at));
        } else if let Some(game) = games.last_mut() {
            game.event(|game| game.end_message(text));
        }
    }
    if games.is_empty() {
        return vec![Err(no_move(Location::START))];
    }
    games.into_iter().map(LoggedGame::finish).collect()
}

/// The error of a log, or of a game of it, that has no move.
fn no_move(location: Location) -> RecordError {
    RecordError::new(location, "", Reason::new(reasons::EXPECTED_LOG))
}

/// The message of a log line, without its level.
fn message(line: &str) -> &str {
    let line = line.trim_end().trim_start_matches('\u{feff}');
    let text = match line.split_once(": ") {
        Some((level, rest)) if level.chars().all(char::is_uppercase) => rest,
        _ => line,
    };
    let text = text.strip_prefix("Move received.\t").unwrap_or(text);
    text.strip_prefix("Suggested move: ").unwrap_or(text)
}

#[derive(Clone, Copy)]
struct LoggedTurn<'a> {
    from: &'a str,
    to: &'a str,
}

/// Parses `Turn: W Pawn from e4 to f4`.
fn turn(message: &str) -> Option<LoggedTurn<'_>> {
    let rest = message.strip_prefix("Turn: ")?;
    let (_, squares) = rest.split_once(" Pawn from ")?;
    let (from, to) = squares.split_once(" to ")?;
    Some(LoggedTurn { from, to })
}

/// Whether a line is a whole row of a board.
fn is_board_row(line: &str) -> bool {
    let line = line.trim();
    line.len() == 9 && line.bytes().all(|byte| b"OTWBK".contains(&byte))
}

fn is_row(line: &str) -> bool {
    let line = line.trim();
    (1..=9).contains(&line.len()) && line.bytes().all(|byte| b"OTWBKD-".contains(&byte))
}

/// `Dec 02, 2020 5:35:46 PM …` as `2020.12.02`; English and Italian months.
fn date_of(line: &str) -> Option<String> {
    const MONTHS: [[&str; 2]; 12] = [
        ["jan", "gen"],
        ["feb", "feb"],
        ["mar", "mar"],
        ["apr", "apr"],
        ["may", "mag"],
        ["jun", "giu"],
        ["jul", "lug"],
        ["aug", "ago"],
        ["sep", "set"],
        ["oct", "ott"],
        ["nov", "nov"],
        ["dec", "dic"],
    ];
    let mut words = line.split_whitespace();
    let month = words.next()?.to_lowercase();
    let month = MONTHS.iter().position(|names| names.contains(&month.as_str()))? + 1;
    let day: u8 = words.next()?.strip_suffix(',')?.parse().ok()?;
    let year: u16 = words.next()?.parse().ok()?;
    Some(format!("{year}.{month:02}.{day:02}"))
}

/// The current game; a log may begin without a `Players:` line.
fn current<'a>(
    games: &'a mut Vec<LoggedGame>,
    date: &mut Option<String>,
    names: &[Option<String>; 2],
    location: Location,
) -> &'a mut LoggedGame {
    if games.is_empty() {
        games.push(LoggedGame::new(date.take(), names, location));
    }
    let last = games.len() - 1;
    &mut games[last]
}

/// A game while its log is parsed.
struct LoggedGame {
    history: GameHistory<AnyPosition>,
    names: [Option<String>; 2],
    date: Option<String>,
    /// The place in the log where the game begins.
    location: Location,
    /// A move that the log has not yet confirmed or refused.
    pending: Option<(String, Location)>,
    /// Whether a board was compared, or the game begun from it.
    has_board: bool,
    /// The result that the rules do not give, and the termination.
    stopped: Option<(GameResult, &'static str)>,
    /// The first error. What follows it in the game is skipped.
    error: Option<RecordError>,
}

impl LoggedGame {
    fn new(date: Option<String>, names: &[Option<String>; 2], location: Location) -> Self {
        Self {
            history: GameHistory::new(AnyPosition::start(RULES)),
            names: names.clone(),
            date,
            location,
            pending: None,
            has_board: false,
            stopped: None,
            error: None,
        }
    }

    /// Follows a line, unless an earlier one was wrong.
    fn event(&mut self, follow: impl FnOnce(&mut Self) -> Result<(), RecordError>) {
        if self.error.is_none() {
            self.error = follow(self).err();
        }
    }

    fn turn(&mut self, turn: LoggedTurn<'_>, location: Location) -> Result<(), RecordError> {
        self.play_pending()?;
        if turn.from == "null" || turn.to == "null" {
            self.forfeit("no move given");
        } else {
            self.pending = Some((format!("{}-{}", turn.from, turn.to), location));
        }
        Ok(())
    }

    /// Follows a message that a move was refused, or that the game has ended.
    fn end_message(&mut self, text: &str) -> Result<(), RecordError> {
        let is_timeout =
            |(begin, end): (&str, &str)| text.starts_with(begin) && text.ends_with(end);
        if REFUSALS.iter().any(|refusal| text.starts_with(refusal)) {
            if self.pending.take().is_some() {
                self.forfeit("illegal move");
            }
        } else if TIMEOUTS.into_iter().any(is_timeout) {
            self.play_pending()?;
            self.forfeit("time forfeit");
        } else if TOO_LONG.iter().any(|begin| text.starts_with(begin)) {
            self.play_pending()?;
            self.stopped = Some((GameResult::Drawn, "length"));
        }
        Ok(())
    }

    /// Notes that the side to move has lost, unless another move of it follows.
    fn forfeit(&mut self, why: &'static str) {
        if let Some(loser) = self.history.turn().side() {
            self.stopped = Some((GameResult::Won(loser.other()), why));
        }
    }

    /// Plays the pending move, if there is one.
    fn play_pending(&mut self) -> Result<(), RecordError> {
        let Some((text, location)) = self.pending.take() else { return Ok(()) };
        self.history
            .parse(&text)
            .and_then(|ply| self.history.push(ply).map(|_| ()))
            .map_err(|illegal| RecordError::new(location, &text, illegal.message()))?;
        // The server had permitted what was refused before.
        self.stopped = None;
        Ok(())
    }

    /// Compares a board of the log with ours, or starts from it before the first move.
    fn board(&mut self, rows: &[&str], location: Location) -> Result<(), RecordError> {
        let Some((board, state)) = rows.split_at_checked(9).filter(|(_, state)| state.len() == 2)
        else {
            // The log was cut off inside the board.
            return self.play_pending();
        };
        let ended = match state[1] {
            "WW" => Some(GameResult::Won(Side::First)),
            "BW" => Some(GameResult::Won(Side::Second)),
            "D" => Some(GameResult::Drawn),
            _ => None,
        };
        let position = position_of(board, state[1]);
        let logged = match ended {
            Some(_) => None,
            None => Some(
                AnyPosition::parse(RULES, &position)
                    .map_err(|error| RecordError::new(location, &position, error.message))?,
            ),
        };
        let is_first = self.history.is_empty() && !std::mem::replace(&mut self.has_board, true);
        match &logged {
            // The console shows the board before a move, too.
            Some(logged) if logged == self.history.position() => return Ok(()),
            Some(start) if is_first && !self.opens_with(start) => {
                self.history = GameHistory::new(start.clone());
                return Ok(());
            }
            _ => {}
        }
        self.play_pending()?;
        let ours = self.history.turn().end().map(GameResult::from);
        let ours = ours.or(self.stopped.map(|(result, _)| result).filter(|_| ended.is_some()));
        if ended != ours {
            let end = self.history.turn().end();
            let reason = end.map_or(Reason::new(reasons::GOES_ON), |end| {
                let right = GameResult::from(end);
                Reason::new(reasons::ENDED_OTHERWISE)
                    .with("right", right)
                    .with("reason", end.reason)
            });
            return Err(RecordError::new(location, state[1], reason));
        }
        let ours = self.history.position();
        let differs = match logged {
            Some(logged) => logged != *ours,
            // At the end no side is to move.
            None => pieces(&position) != pieces(&ours.to_string()),
        };
        if differs {
            let reason = Reason::new(reasons::OTHER_BOARD).with("position", ours);
            return Err(RecordError::new(location, &position, reason));
        }
        Ok(())
    }

    /// Whether the pending move leads from the start to this board.
    fn opens_with(&self, board: &AnyPosition) -> bool {
        let mut line = self.history.clone();
        self.pending.as_ref().is_some_and(|(text, _)| {
            let ply = line.parse(text);
            ply.is_ok_and(|ply| line.push(ply).is_ok()) && line.position() == board
        })
    }

    fn finish(mut self) -> Result<Record, RecordError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.play_pending()?;
        if self.history.is_empty() && self.stopped.is_none() {
            return Err(no_move(self.location));
        }
        let mut record = Record::new(self.history);
        for (player, name) in record.players.iter_mut().zip(self.names) {
            if let Some(name) = name {
                *player = name;
            }
        }
        record.date = self.date;
        if let Some((result, why)) = self.stopped {
            record.stop(result, Some(why));
        }
        Ok(record)
    }
}

/// The pieces of a position's text, without the side to move.
fn pieces(position: &str) -> &str {
    position.split(' ').next().unwrap_or_default()
}

/// A board of the log as the text of our position. The log's first row is rank 1.
fn position_of(rows: &[&str], side: &str) -> String {
    let ranks = rows.iter().rev().map(|row| {
        let mut rank = String::new();
        let letters = row.chars().map(|symbol| matches!(symbol, 'W' | 'B' | 'K').then_some(symbol));
        // Writing to a text cannot fail.
        _ = write_rank(&mut rank, letters);
        rank
    });
    format!("{} {}", ranks.collect::<Vec<_>>().join("/"), side.to_lowercase())
}
