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
//!   refused one by a message in Italian; it loses the game. `from null to null` is
//!   a player who sent no move.
//!
//! The server's first row is rank 1, and its square names are kept. The system log,
//! with moves only, is parsed as well. Every board of a log is compared with ours.

use crate::{
    games::{AnyPosition, GameHistory, RuleSet, Side, Turn},
    i18n::LocalizedMessage,
    records::{GameResult, Record, RecordError, scan::Location},
};

const RULES: RuleSet = RuleSet::TablutAshton;
/// How the server's messages about refused moves begin.
const REFUSALS: [&str; 4] = ["Formato mossa", "Mossa ", "Nessuna mossa", "Giocatore "];

/// Whether a text has a message of these logs.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    text.lines().map(message).any(|message| {
        message == "Stato:" || message.starts_with("Players:\t") || turn(message).is_some()
    })
}

/// Parses the games of a log.
///
/// # Errors
/// A move that the server accepted and the rules refuse, a board or an end that
/// differs from ours, or a log without a game.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
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
            games.push(LoggedGame::new(date.take(), &names));
        } else if let Some(name) = text.strip_prefix("White player name:") {
            names[Side::First.index()] = Some(name.trim().to_owned());
        } else if let Some(name) = text.strip_prefix("Black player name:") {
            names[Side::Second.index()] = Some(name.trim().to_owned());
        } else if text == "Stato:" {
            let mut rows = Vec::new();
            while rows.len() < 11 {
                match lines.next_if(|(_, row)| is_row(row)) {
                    Some((_, row)) => rows.push(row.trim()),
                    None => break,
                }
            }
            current(&mut games, &mut date, &names).board(&rows, location("Stato:"))?;
        } else if let Some(turn) = turn(text) {
            current(&mut games, &mut date, &names).turn(turn, location(turn.from))?;
        } else if REFUSALS.iter().any(|refusal| text.starts_with(refusal))
            && let Some(game) = games.last_mut()
        {
            game.refuse_pending();
        }
    }
    if games.is_empty() {
        let location = Location { line: 1, column: 1 };
        return Err(RecordError::new(location, "", LocalizedMessage::new("why.expected-log")));
    }
    games.into_iter().map(LoggedGame::finish).collect()
}

/// The message of a log line, without its level.
fn message(line: &str) -> &str {
    let line = line.trim_end().trim_start_matches('\u{feff}');
    let text = match line.split_once(": ") {
        Some((level, rest)) if level.chars().all(char::is_uppercase) => rest,
        _ => line,
    };
    text.strip_prefix("Move received.\t").unwrap_or(text)
}

#[derive(Clone, Copy)]
struct LoggedTurn<'a> {
    side: Side,
    from: &'a str,
    to: &'a str,
}

/// Parses `Turn: W Pawn from e4 to f4`.
fn turn(message: &str) -> Option<LoggedTurn<'_>> {
    let rest = message.strip_prefix("Turn: ")?;
    let (side, squares) = rest.split_once(" Pawn from ")?;
    let (from, to) = squares.split_once(" to ")?;
    let side = match side {
        "W" => Side::First,
        "B" => Side::Second,
        _ => return None,
    };
    Some(LoggedTurn { side, from, to })
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
) -> &'a mut LoggedGame {
    if games.is_empty() {
        games.push(LoggedGame::new(date.take(), names));
    }
    let last = games.len() - 1;
    &mut games[last]
}

/// A game while its log is parsed.
struct LoggedGame {
    history: GameHistory<AnyPosition>,
    names: [Option<String>; 2],
    date: Option<String>,
    /// A move that the log has not yet confirmed or refused.
    pending: Option<(Side, String, Location)>,
    /// The side that lost by an illegal move or none, and the termination.
    forfeit: Option<(Side, &'static str)>,
}

impl LoggedGame {
    fn new(date: Option<String>, names: &[Option<String>; 2]) -> Self {
        Self {
            history: GameHistory::new(AnyPosition::start(RULES)),
            names: names.clone(),
            date,
            pending: None,
            forfeit: None,
        }
    }

    fn turn(&mut self, turn: LoggedTurn<'_>, location: Location) -> Result<(), RecordError> {
        self.play_pending()?;
        if turn.from == "null" || turn.to == "null" {
            self.forfeit = Some((turn.side, "no move given"));
        } else {
            self.pending = Some((turn.side, format!("{}-{}", turn.from, turn.to), location));
        }
        Ok(())
    }

    /// Forfeits the game for the side whose pending move the server refused.
    fn refuse_pending(&mut self) {
        if let Some((side, ..)) = self.pending.take() {
            self.forfeit = Some((side, "illegal move"));
        }
    }

    /// Plays the pending move, if there is one.
    fn play_pending(&mut self) -> Result<(), RecordError> {
        let Some((side, text, location)) = self.pending.take() else { return Ok(()) };
        if self.history.turn().side().is_some_and(|on_turn| on_turn != side) {
            let turn = match side.other() {
                Side::First => "why.turn-of-white",
                Side::Second => "why.turn-of-black",
            };
            return Err(RecordError::new(location, &text, LocalizedMessage::new(turn)));
        }
        self.history
            .parse(&text)
            .and_then(|ply| self.history.push(ply).map(|_| ()))
            .map_err(|illegal| RecordError::new(location, &text, illegal.message()))
    }

    /// Compares a board of the log with ours, or starts from it before the first move.
    fn board(&mut self, rows: &[&str], location: Location) -> Result<(), RecordError> {
        let moved = self.pending.is_some();
        self.play_pending()?;
        let Some((board, state)) = rows.split_at_checked(9).filter(|(_, state)| state.len() == 2)
        else {
            // The log was cut off inside the board.
            return Ok(());
        };
        let ended = match state[1] {
            "WW" => Some(GameResult::Won(Side::First)),
            "BW" => Some(GameResult::Won(Side::Second)),
            "D" => Some(GameResult::Drawn),
            _ => None,
        };
        let ours = self.history.turn().end();
        if ended != ours.map(GameResult::from) {
            let reason = ours.map_or(LocalizedMessage::new("why.goes-on"), |end| {
                let right = GameResult::from(end);
                LocalizedMessage::new("why.ended-otherwise")
                    .with("right", right)
                    .with("reason", end.reason)
            });
            return Err(RecordError::new(location, state[1], reason));
        }
        if ended.is_some() {
            return Ok(());
        }
        let position = position_of(board, state[1]);
        let logged = AnyPosition::parse(RULES, &position)
            .map_err(|error| RecordError::new(location, &position, error.message))?;
        if !moved && self.history.is_empty() {
            self.history = GameHistory::new(logged);
        } else if logged != *self.history.position() {
            let reason =
                LocalizedMessage::new("why.other-board").with("position", self.history.position());
            return Err(RecordError::new(location, &position, reason));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Record, RecordError> {
        // A log that ends with a move does not tell whether it was accepted.
        if let Some((side, text, location)) = self.pending.take()
            && self.history.turn() == Turn::Move(side)
            && self.history.parse(&text).is_ok()
        {
            self.pending = Some((side, text, location));
            self.play_pending()?;
        }
        let mut record = Record::new(self.history);
        for (player, name) in record.players.iter_mut().zip(self.names) {
            if let Some(name) = name {
                *player = name;
            }
        }
        record.date = self.date;
        if let Some((loser, why)) = self.forfeit {
            record.stop(GameResult::Won(loser.other()), Some(why));
        }
        Ok(record)
    }
}

/// A board of the log as the text of our position. The log's first row is rank 1.
fn position_of(rows: &[&str], side: &str) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().rev().enumerate() {
        if index > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for symbol in row.chars() {
            if matches!(symbol, 'W' | 'B' | 'K') {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(symbol);
            } else {
                empty += 1;
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
    }
    text.push(' ');
    text.push_str(&side.to_lowercase());
    text
}
