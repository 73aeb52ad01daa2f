//! OpenTafl's notation (`.otg`): games of Tablut with the rules written out.
//!
//! The format is that of `opentafl-notation-spec.txt` of the program OpenTafl. A game is
//! read only if its rules are those of one of our rule sets; otherwise the error names
//! the rule that differs.

mod rules;
mod variations;
mod write;

pub use write::write;

use crate::reasons;
use tabulae_games::{
    AnyMove, AnyPosition, EndReason, Game as _, GameHistory, GameKind, Ply, Reason, Side,
    tablut::{self, Army},
};

use self::{rules::parse, variations::VariationTurn};
use super::{GameResult, Record, RecordError, error::Location, scan::with_line_feeds};

/// The tag of OpenTafl and ours, for texts that are copied as they are.
const COPIED_TAGS: [(&str, &str); 4] =
    [("event", "Event"), ("site", "Site"), ("round", "Round"), ("annotator", "Annotator")];

/// Whether a text begins with a tag of this notation, `[name:value]`.
pub fn looks_like(text: &str) -> bool {
    let begin =
        text.trim_start_matches(|symbol: char| symbol.is_whitespace() || symbol == '\u{feff}');
    begin.strip_prefix('[').is_some_and(|tag| {
        let value =
            tag.trim_start_matches(|symbol: char| symbol.is_ascii_lowercase() || symbol == '-');
        value.len() < tag.len() && value.starts_with(':')
    })
}

/// Parses a game.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_records::opentafl;
///
/// let text = "\
/// [attackers:Carl]
/// [rules:dim:9 surf:n atkf:n ka:n ks:m cenh: cenhe:K \
/// start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/]
///
/// 1. e3-f3 d1-d2
/// [a quiet start|and its answer]
/// ";
/// let record = opentafl::read(text)?;
/// assert_eq!((record.rules(), record.history().len()), (RuleSet::TablutLinnaeus, 2));
/// assert_eq!(record.comments(2), ["and its answer"]);
/// let written = opentafl::write(&record).expect("a game of Tablut");
/// assert_eq!(opentafl::read(&written)?, record);
/// # Ok::<(), tabulae_records::RecordError>(())
/// ```
///
/// # Errors
/// A rule that none of our rule sets has, or the first move that is malformed or illegal.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let text = with_line_feeds(text);
    let mut parts = Parts::new(&text);
    let (mut tags, mut rules, mut position) = (Vec::new(), None, None);
    // The rules are the last tag, and what follows in brackets is a comment.
    while rules.is_none() {
        let (at, part) = parts.next().ok_or_else(|| {
            RecordError::new(parts.location, "", Reason::new(reasons::OTN_NO_RULES))
        })?;
        let tag = match part {
            Part::Bracket(tag) => tag.split_once(':'),
            Part::Word(_) => None,
        };
        match tag {
            Some(("rules", text)) => rules = Some((at, text)),
            Some(("position", text)) => position = Some((at, text)),
            Some((name, value)) => tags.push((name, value.trim())),
            None => {
                let why = Reason::new(reasons::OTN_NO_RULES);
                return Err(RecordError::new(at, part.text(), why));
            }
        }
    }
    let (at, rules) = rules.unwrap_or((parts.location, ""));
    let read = parse(rules).map_err(|(part, why)| RecordError::new(at, part, why))?;
    let start = match position {
        Some((at, rows)) => board(read.rules, rows, false).map_err(|why| (at, rows, why)),
        None => {
            board(read.rules, read.start, read.is_inverted).map_err(|why| (at, read.start, why))
        }
    };
    let start = start.map_err(|(at, rows, why)| RecordError::new(at, rows, why))?;
    let mut game = PlayedGame {
        history: GameHistory::new(start),
        resigned: None,
        comments: Vec::new(),
        variations: Vec::new(),
    };
    game.read_moves(&mut parts)?;
    let variations = std::mem::take(&mut game.variations);
    let mut record = game.finish(&tags);
    variations::add(&mut record, &variations)?;
    // A variation may be nothing but the game, which it goes on from its end.
    record.finish_reading();
    Ok(record)
}

/// A game while it is read.
struct PlayedGame<'a> {
    history: GameHistory<AnyPosition>,
    resigned: Option<Side>,
    /// Comments with the number of plies before them.
    comments: Vec<(usize, String)>,
    variations: Vec<VariationTurn<'a>>,
}

impl<'a> PlayedGame<'a> {
    fn read_moves(&mut self, parts: &mut Parts<'a>) -> Result<(), RecordError> {
        // The number of plies before the turn, on the main line.
        let (mut turn_start, mut is_main) = (0, true);
        while let Some((at, part)) = parts.next() {
            match part {
                Part::Word(word) if is_address(word) => {
                    is_main = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
                    if is_main {
                        turn_start = self.history.len();
                    } else {
                        self.variations.push(VariationTurn::new(at, word));
                    }
                }
                Part::Word(word) if is_main => match word {
                    "---" => self.resigned = Some(self.history.position().side()),
                    _ => _ = play(&mut self.history, word, at)?,
                },
                Part::Bracket(text) if is_main => {
                    for (index, comment) in text.split('|').enumerate() {
                        let ply = (turn_start + index + 1).min(self.history.len());
                        if !comment.trim().is_empty() {
                            self.comments.push((ply, comment.trim().to_owned()));
                        }
                    }
                }
                part => {
                    if let Some(turn) = self.variations.last_mut() {
                        match part {
                            Part::Word(word) => turn.words.push((at, word)),
                            Part::Bracket(text) => turn.comments.extend(text.split('|')),
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(self, tags: &[(&str, &str)]) -> Record {
        let mut record = Record::new(self.history);
        let rules = record.rules();
        let value = |name: &str| {
            tags.iter().find(|(tag, value)| *tag == name && !value.is_empty()).map(|(_, it)| *it)
        };
        for (army, tag) in [(Army::Black, "attackers"), (Army::White, "defenders")] {
            if let Some(name) = value(tag) {
                record.players[side_of(&record, army).index()] = one_line(name);
            }
        }
        record.date = value("date").map(one_line);
        for (tag, own) in COPIED_TAGS {
            if let Some(text) = value(tag) {
                record.set_tag(own, &one_line(text));
            }
        }
        if let Some(text) = value("start-comment") {
            record.comment(0, text);
        }
        for (ply, text) in &self.comments {
            record.comment(*ply, text);
        }
        let result = match (self.resigned, value("result")) {
            (Some(side), _) => GameResult::Won(side.other()),
            (None, Some("1")) => GameResult::Won(side_of(&record, Army::Black)),
            (None, Some("-1")) => GameResult::Won(side_of(&record, Army::White)),
            (None, Some("0")) => GameResult::Drawn,
            (None, _) => GameResult::Unknown,
        };
        let reason = match value("termination").map(one_line) {
            Some(reason) if !EndReason::is_id(&reason) => Some(reason),
            _ => self.resigned.map(|_| "resignation".to_owned()),
        };
        // Refused, as it should be, where the rules have ended the game.
        record.stop(result, reason.as_deref());
        debug_assert_eq!(rules.game(), GameKind::Tablut);
        record
    }
}

/// Plays a move as this notation writes it, and returns it.
fn play(
    history: &mut GameHistory<AnyPosition>,
    word: &str,
    at: Location,
) -> Result<Ply<AnyMove>, RecordError> {
    // What the move threatens or ends follows from the rules.
    let text = word.trim_end_matches(['+', '-']).trim_start_matches(['K', 'k']);
    let (path, captures) = text.split_once('x').unwrap_or((text, ""));
    let mut written = path.to_owned();
    for square in captures.split('/').filter(|square| !square.is_empty()) {
        written.push('x');
        written.push_str(square.trim_start_matches(['K', 'k']));
    }
    let ply = history.parse(&written);
    let ply = ply.and_then(|ply| history.push(ply).map(|_| ply));
    ply.map_err(|illegal| RecordError::new(at, word, illegal.message()))
}

fn side_of(record: &Record, army: Army) -> Side {
    match record.history().start() {
        AnyPosition::Tablut(start) => start.rules().side(army),
        AnyPosition::Tablan(_) | AnyPosition::Tablaaza(_) => Side::First,
    }
}

/// The position of such rows, with the side to move that moves first.
fn board(
    rules: tabulae_games::RuleSet,
    rows: &str,
    is_inverted: bool,
) -> Result<AnyPosition, Reason> {
    let letter = |symbol: char| match symbol {
        'T' => 'W',
        't' => 'B',
        'k' | 'K' => 'K',
        // No piece of Tablut; the parser of positions names it.
        'W' | 'B' => '?',
        other => other,
    };
    let mut rows: Vec<&str> = rows.trim().trim_matches('/').split('/').collect();
    if !is_inverted {
        rows.reverse();
    }
    let start = AnyPosition::start(rules);
    let side = if let AnyPosition::Tablut(start) = &start { army_letter(start) } else { 'b' };
    let text: String = rows.join("/").chars().map(letter).collect();
    AnyPosition::parse(rules, &format!("{text} {side}")).map_err(|error| error.message)
}

fn army_letter(start: &tablut::Position) -> char {
    match start.rules().first {
        Army::White => 'w',
        Army::Black => 'b',
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a word numbers a turn: `12.`, or `3b.3.1a` in a variation.
fn is_address(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit())
        && word.contains('.')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
}

#[derive(Clone, Copy)]
enum Part<'a> {
    /// What stands in brackets: a tag or a comment.
    Bracket(&'a str),
    Word(&'a str),
}

impl<'a> Part<'a> {
    const fn text(self) -> &'a str {
        match self {
            Self::Bracket(text) | Self::Word(text) => text,
        }
    }
}

/// Splits a text into words and brackets.
struct Parts<'a> {
    rest: &'a str,
    location: Location,
}

impl<'a> Parts<'a> {
    fn new(text: &'a str) -> Self {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { rest, location: Location::START }
    }

    fn next(&mut self) -> Option<(Location, Part<'a>)> {
        let space = self.rest.len() - self.rest.trim_start().len();
        self.take(space);
        let at = self.location;
        if let Some(inside) = self.rest.strip_prefix('[') {
            // A bracket may hold others; the one that closes it ends its line.
            let mut ends = inside.match_indices(']').map(|(end, _)| end);
            let is_last = |end: &usize| {
                let behind = inside[end + 1..].trim_start_matches([' ', '\t']);
                behind.is_empty() || behind.starts_with('\n')
            };
            let end = ends.clone().find(is_last).or_else(|| ends.next_back());
            let end = end.unwrap_or(inside.len());
            self.take((end + 2).min(self.rest.len()));
            return Some((at, Part::Bracket(&inside[..end])));
        }
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let word = self.take(end);
        (!word.is_empty()).then_some((at, Part::Word(word)))
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.location = taken.chars().fold(self.location, Location::behind);
        taken
    }
}
