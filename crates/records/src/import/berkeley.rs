//! Move lists, command files and transcripts of Berkeley's course project.
//!
//! A move is its first square and the rank or file it goes to:
//! `i6-g` (along rank 6 to file g), `d5-7` (along file d to rank 7). Moves
//! are separated by white space or commas; move numbers are skipped, and `#`
//! begins a remark to the end of the line. Whole squares (`i6-g6`) are accepted too.
//! There are no tags and no result, which follows from the rules.
//!
//! The project's program takes a command a line. `new` and `quit` end a game, `undo`
//! takes back a move of each player, and `auto`, `manual`, `seed`, `limit` and `dump`
//! change no game. A transcript also has what the program prints: the prompt `>`, its
//! moves `* d5-7`, the winner `* White wins.`, errors, and boards between lines of `===`,
//! which are compared with ours.

use crate::reasons;
use crate::{GameResult, Record, RecordError, error::Location, scan::with_line_feeds};
use tabulae_games::{AnyPosition, GameHistory, Reason, RuleSet, Side, write_rank};

/// The commands that change no game; what follows them in their line is theirs.
const SETTINGS: [&str; 5] = ["auto", "manual", "seed", "limit", "dump"];
/// The line before and behind a board.
const BOARD: &str = "===";
/// The line below the rows of a board.
const FILES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
/// How many plies `undo` takes back.
const UNDONE: usize = 2;

/// Whether a text begins like a move list or a list of commands.
pub fn looks_like(text: &str) -> bool {
    let text = with_line_feeds(text);
    let mut lines = text.lines().map(Line::new);
    lines.find(|line| !line.is_empty()).is_some_and(|line| {
        let first = line.words().find(|word| !is_number(word));
        line.is_output
            || line.has_prompt
            || line.is_board_mark()
            || first.is_some_and(|word| {
                let word = word.to_ascii_lowercase();
                is_move(&word)
                    || SETTINGS.contains(&&*word)
                    || ["new", "undo", "quit"].contains(&&*word)
            })
    })
}

/// Parses a move list, or the first game of a list of commands.
///
/// # Errors
/// The first move that is malformed or illegal, a board or a winner that differs from
/// ours, or a text without a move.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut games = read_each(text);
    games.swap_remove(0)
}

/// The games of a text, each by itself; at least one.
pub(super) fn read_each(text: &str) -> Vec<Result<Record, RecordError>> {
    let text = with_line_feeds(text);
    let mut games = Vec::new();
    let mut game = ListedGame::default();
    // The rows of a board that is open, and the line before them.
    let mut board: Option<(Location, Vec<String>)> = None;
    for (number, text) in (1..).zip(text.lines()) {
        let line = Line::new(text);
        if line.is_board_mark() {
            match board.take() {
                Some((mark, rows)) => game.compare(&rows, mark),
                None => board = Some((line.location(number, line.content), Vec::new())),
            }
            continue;
        }
        if let Some((_, rows)) = &mut board {
            if let Some(row) = row_of(line.content) {
                rows.push(row);
                continue;
            }
            if line.is_empty() || line.words().eq(FILES) {
                continue;
            }
            game.refuse_board(line.content, line.location(number, line.content));
            board = None;
        }
        if ["new", "quit"].contains(&&*line.command()) {
            games.extend(std::mem::take(&mut game).finish());
        } else {
            game.follow(&line, number);
        }
    }
    if let Some((mark, _)) = board {
        game.refuse_board(BOARD, mark);
    }
    games.extend(game.finish());
    if games.is_empty() {
        let reason = Reason::new(reasons::EXPECTED_MOVES);
        games.push(Err(RecordError::new(Location::START, "", reason)));
    }
    games
}

/// A game while its text is parsed.
struct ListedGame {
    history: GameHistory<AnyPosition>,
    /// The winner that the program named.
    winner: Option<(Side, Location)>,
    /// A move that the rules refuse. The program may have refused it as well.
    refused: Option<RecordError>,
    /// The first error. What follows it in the game is skipped.
    error: Option<RecordError>,
}

impl Default for ListedGame {
    fn default() -> Self {
        let history = GameHistory::new(AnyPosition::start(RuleSet::TablutBerkeley));
        Self { history, winner: None, refused: None, error: None }
    }
}

impl ListedGame {
    /// Follows a line that is no board and ends no game.
    fn follow(&mut self, line: &Line<'_>, number: usize) {
        let command = line.command();
        if command == "error:" {
            self.refused = None;
        } else if command == "undo" {
            self.winner = None;
            self.history.truncate(self.history.len().saturating_sub(UNDONE));
        } else if let Some(winner) = line.winner() {
            self.winner = Some((winner, line.location(number, line.content)));
        } else if !SETTINGS.contains(&&*command) {
            for word in line.words().filter(|word| !is_number(word)) {
                self.play(word, || line.location(number, word));
            }
        }
    }

    fn play(&mut self, word: &str, location: impl Fn() -> Location) {
        if self.error.is_none() {
            self.error = self.refused.take();
        }
        if self.error.is_none() {
            let ply = self.history.parse(&word.to_ascii_lowercase());
            let played = ply.and_then(|ply| self.history.push(ply).map(|_| ()));
            match played {
                Ok(()) => self.winner = None,
                Err(illegal) => {
                    self.refused = Some(RecordError::new(location(), word, illegal.message()));
                }
            }
        }
    }

    /// Compares a printed board with ours. `mark` is the line before it.
    fn compare(&mut self, rows: &[String], mark: Location) {
        if rows.len() != 9 {
            return self.refuse_board(BOARD, mark);
        }
        let location = Location { line: mark.line + 1, column: 1 };
        let ours = self.history.position().to_string();
        let printed = rows.join("/");
        if ours.split(' ').next() != Some(&*printed) {
            let reason = Reason::new(reasons::OTHER_BOARD).with("position", ours);
            self.error.get_or_insert(RecordError::new(location, &printed, reason));
        }
    }

    /// Notes that a board has no end, not nine rows, or another line within it.
    fn refuse_board(&mut self, text: &str, location: Location) {
        let reason = Reason::new(reasons::EXPECTED_BOARD);
        self.error.get_or_insert(RecordError::new(location, text, reason));
    }

    /// The game; none if there is none.
    fn finish(self) -> Option<Result<Record, RecordError>> {
        if let Some(error) = self.error.or(self.refused) {
            return Some(Err(error));
        }
        if self.history.is_empty() {
            return None;
        }
        let mut record = Record::new(self.history);
        if let Some((winner, location)) = self.winner {
            let result = GameResult::Won(winner);
            if let Some(end) = record.end().filter(|end| GameResult::from(*end) != result) {
                let reason = Reason::new(reasons::ENDED_OTHERWISE)
                    .with("right", GameResult::from(end))
                    .with("reason", end.reason);
                return Some(Err(RecordError::new(location, result.token(), reason)));
            }
            record.stop(result, None);
        }
        Some(Ok(record))
    }
}

/// A line without its remark, prompt and mark of output.
#[derive(Clone, Copy)]
struct Line<'a> {
    whole: &'a str,
    content: &'a str,
    /// Whether it has the prompt `>`.
    has_prompt: bool,
    /// Whether the program printed it: it begins with `*`.
    is_output: bool,
}

impl<'a> Line<'a> {
    fn new(whole: &'a str) -> Self {
        let whole = whole.strip_prefix('\u{feff}').unwrap_or(whole);
        let content = whole.split_once('#').map_or(whole, |(content, _)| content).trim();
        let unprompted =
            content.trim_start_matches(|symbol: char| symbol == '>' || symbol.is_whitespace());
        let printed = unprompted.strip_prefix('*');
        Self {
            whole,
            content: printed.unwrap_or(unprompted).trim_start(),
            has_prompt: unprompted.len() < content.len(),
            is_output: printed.is_some(),
        }
    }

    const fn is_empty(&self) -> bool {
        self.content.is_empty() && !self.has_prompt && !self.is_output
    }

    fn is_board_mark(&self) -> bool {
        self.content.starts_with(BOARD) && self.content.bytes().all(|byte| byte == b'=')
    }

    fn words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.content
            .split(|symbol: char| symbol.is_whitespace() || symbol == ',')
            .filter(|word| !word.is_empty())
    }

    /// The first word, in lower case.
    fn command(&self) -> String {
        self.words().next().unwrap_or_default().to_ascii_lowercase()
    }

    /// The winner of `* White wins.`
    fn winner(&self) -> Option<Side> {
        match (self.is_output, self.content.trim_end_matches('.')) {
            (true, "Black wins") => Some(Side::First),
            (true, "White wins") => Some(Side::Second),
            _ => None,
        }
    }

    /// The location of a part of the line.
    fn location(&self, line: usize, part: &str) -> Location {
        // `part` is a slice of the line, so its address gives its offset.
        let offset = part.as_ptr().addr() - self.whole.as_ptr().addr();
        Location { line, column: self.whole[..offset].chars().count() + 1 }
    }
}

/// A printed row, ` 9 - - - B B B - - -`, as positions have it: `3BBB3`.
fn row_of(line: &str) -> Option<String> {
    let mut symbols = line.split_whitespace();
    symbols.next().filter(|rank| rank.len() == 1 && is_number(rank))?;
    let letter = |symbol| match symbol {
        "-" => Some(None),
        "B" | "W" | "K" => Some(symbol.chars().next()),
        _ => None,
    };
    let letters: Vec<_> = symbols.map(letter).collect::<Option<_>>()?;
    let mut row = String::new();
    (letters.len() == 9 && write_rank(&mut row, letters).is_ok()).then_some(row)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_move(word: &str) -> bool {
    let square = |text: &[u8]| matches!(text, [file, rank] if file.is_ascii_alphabetic() && rank.is_ascii_digit());
    word.split_once('-').is_some_and(|(from, to)| {
        let line_of = |to: &[u8]| matches!(to, [one] if one.is_ascii_alphanumeric());
        square(from.as_bytes()) && (line_of(to.as_bytes()) || square(to.as_bytes()))
    })
}
