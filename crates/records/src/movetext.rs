//! Parsing the plies of a record, with variations and glyphs.

use crate::reasons;
use tabulae_games::{Announcement, Event, Reason, Throw};

use super::{
    GameResult, Glyph, NodeId, Record, RecordError,
    error::Location,
    scan::{Scanner, Token, with_hyphens},
};

/// The plies of a record while they are parsed.
pub(super) struct Movetext {
    /// Its history leads to `node`, also within a variation.
    record: Record,
    /// The node of the last ply.
    node: NodeId,
    /// The variations that are open, the innermost last.
    open: Vec<OpenVariation>,
    /// The result after the plies, once it was parsed.
    result: Option<(GameResult, Location)>,
}

/// A variation while it is parsed.
struct OpenVariation {
    /// The location of its opening parenthesis.
    at: Location,
    /// The node whose ply it replaces.
    replaced: NodeId,
    /// The number of plies before it.
    plies: usize,
    /// The comments before its first ply; `None` once that was parsed.
    before: Option<Vec<String>>,
}

/// The marks behind a ply, as the list of moves shows them.
#[derive(Default)]
struct Marks {
    announced: Option<Announcement>,
    ended: bool,
    glyph: Option<Glyph>,
}

impl Movetext {
    /// Begins with a record that has no plies.
    pub(super) const fn new(record: Record) -> Self {
        Self { record, node: NodeId::ROOT, open: Vec::new(), result: None }
    }

    /// The record, and the result that was read with its location.
    pub(super) fn finish(
        mut self,
    ) -> Result<(Record, Option<(GameResult, Location)>), RecordError> {
        if let Some(open) = self.open.last() {
            return refuse("(", Reason::new(reasons::OPEN_VARIATION), open.at);
        }
        self.record.finish_reading();
        Ok((self.record, self.result))
    }

    pub(super) fn comment(&mut self, text: String) {
        match self.open.last_mut().and_then(|open| open.before.as_mut()) {
            Some(before) => before.push(text),
            None => _ = self.record.add_comment(self.node, &text),
        }
    }

    /// Opens a variation, which replaces the last ply.
    pub(super) fn open(&mut self, location: Location) -> Result<(), RecordError> {
        self.expect_no_result("(", location)?;
        if self.follows_no_ply() {
            return refuse("(", Reason::new(reasons::VARIATION_OF_NOTHING), location);
        }
        let replaced = self.node;
        self.node = self.record.tree().parent(replaced).unwrap_or(NodeId::ROOT);
        let (line, _) = self.record.parts_to_read();
        line.undo();
        let plies = line.len();
        self.open.push(OpenVariation { at: location, replaced, plies, before: Some(Vec::new()) });
        Ok(())
    }

    /// Closes a variation and goes back to the ply that it replaces.
    pub(super) fn close(&mut self, location: Location) -> Result<(), RecordError> {
        self.expect_no_result(")", location)?;
        if self.open.last().is_some_and(|open| open.before.is_some()) {
            return refuse(")", Reason::new(reasons::EMPTY_VARIATION), location);
        }
        let Some(closed) = self.open.pop() else {
            return refuse(")", Reason::new(reasons::NO_OPEN_VARIATION), location);
        };
        self.node = closed.replaced;
        let ply = self.record.tree().ply(self.node);
        let (line, _) = self.record.parts_to_read();
        line.truncate(closed.plies);
        match ply.map(|ply| line.push(ply)) {
            Some(Err(illegal)) => refuse(")", illegal.message(), location),
            _ => Ok(()),
        }
    }

    /// Parses a move number, a ply, its glyphs or the result.
    pub(super) fn word(&mut self, word: &str, location: Location) -> Result<(), RecordError> {
        self.expect_no_result(word, location)?;
        let word = &*with_hyphens(word);
        let (text, skipped) =
            if GameResult::parse(word).is_some() { (word, 0) } else { without_number(word) };
        let location = Location { column: location.column + skipped, ..location };
        if let Some(result) = GameResult::parse(text) {
            if !self.open.is_empty() {
                return refuse(text, Reason::new(reasons::RESULT_IN_VARIATION), location);
            }
            self.result = Some((result, location));
            return Ok(());
        }
        let glyph = Glyph::parse(text).or_else(|| Glyph::of_symbol(text));
        if text.starts_with('$') && glyph.is_none() {
            return refuse(text, Reason::new(reasons::EXPECTED_GLYPH_NUMBER), location);
        }
        if let Some(glyph) = glyph {
            return self.mark(text, Marks { glyph: Some(glyph), ..Marks::default() }, location);
        }
        let (ply, marks) = text.split_at(ply_length(text));
        if !ply.is_empty() {
            self.ply(ply, location)?;
        }
        if marks.is_empty() {
            return Ok(());
        }
        let location = Location { column: location.column + ply.chars().count(), ..location };
        let Some(parsed) = Marks::parse(marks) else {
            let suffixes = Glyph::WITH_SUFFIX.map(|glyph| glyph.to_string()).join(" ");
            let reason = Reason::new(reasons::EXPECTED_GLYPH).with("suffixes", suffixes);
            return refuse(marks, reason, location);
        };
        self.mark(marks, parsed, location)
    }

    fn ply(&mut self, text: &str, location: Location) -> Result<(), RecordError> {
        let throw = text.strip_prefix('t').is_some_and(|rest| rest.parse::<u32>().is_ok());
        if throw && Throw::parse(text).is_none() {
            return refuse(text, Reason::new(reasons::EXPECTED_THROW), location);
        }
        let (line, tree) = self.record.parts_to_read();
        if let Some(end) = line.turn().end() {
            let reason = Reason::new(reasons::OVER_BEFORE).with("reason", end.reason);
            return refuse(text, reason, location);
        }
        let ply = match line.parse(text).and_then(|ply| line.push(ply).map(|_| ply)) {
            Ok(ply) => ply,
            Err(illegal) => return refuse(text, illegal.message(), location),
        };
        if tree.child(self.node, ply).is_some() {
            return refuse(text, Reason::new(reasons::SAME_PLY), location);
        }
        self.node = tree.add(self.node, ply);
        let before = self.open.last_mut().and_then(|open| open.before.take());
        for comment in before.into_iter().flatten() {
            self.record.add_comment_before(self.node, &comment);
        }
        Ok(())
    }

    /// Adds a glyph to the last ply. What the rules announce there must be right.
    fn mark(&mut self, text: &str, marks: Marks, location: Location) -> Result<(), RecordError> {
        if self.follows_no_ply() {
            return refuse(text, Reason::new(reasons::GLYPH_OF_NOTHING), location);
        }
        let (line, tree) = self.record.parts_to_read();
        if let Some(announced) = marks.announced
            && !line.events(line.len()).contains(&Event::Announced(announced))
        {
            return refuse(text, Reason::new(reasons::NOT_ANNOUNCED), location);
        }
        if marks.ended && line.turn().end().is_none() {
            return refuse(text, Reason::new(reasons::NOT_ENDED), location);
        }
        tree.annotation_mut(self.node).glyphs.extend(marks.glyph);
        Ok(())
    }

    /// Whether no ply was parsed yet, in the game or in the innermost variation.
    fn follows_no_ply(&self) -> bool {
        match self.open.last() {
            Some(open) => open.before.is_some(),
            None => self.node == NodeId::ROOT,
        }
    }

    fn expect_no_result(&self, text: &str, location: Location) -> Result<(), RecordError> {
        match self.result {
            Some((result, _)) => {
                let reason = Reason::new(reasons::AFTER_RESULT).with("result", result);
                refuse(text, reason, location)
            }
            None => Ok(()),
        }
    }
}

impl Marks {
    /// Parses `R!` or `T!`, `#`, and the suffix of a glyph, each of which may be missing.
    fn parse(text: &str) -> Option<Self> {
        let (announced, rest) = if let Some(rest) = text.strip_prefix("R!") {
            (Some(Announcement::Raichi), rest)
        } else if let Some(rest) = text.strip_prefix("T!") {
            (Some(Announcement::Tuichi), rest)
        } else {
            (None, text)
        };
        let (ended, rest) = match rest.strip_prefix('#').or_else(|| rest.strip_suffix('#')) {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let glyph = if rest.is_empty() { None } else { Some(Glyph::parse(rest)?) };
        Some(Self { announced, ended, glyph })
    }
}

fn refuse<T>(text: &str, reason: Reason, at: Location) -> Result<T, RecordError> {
    Err(RecordError::new(at, text, reason))
}

/// The length of the ply in a word, before its marks.
fn ply_length(word: &str) -> usize {
    let ply = word.trim_end_matches(['!', '?', '#']);
    let marks = &word[ply.len()..];
    match ply.strip_suffix(['R', 'T']) {
        Some(announced) if marks.starts_with('!') => announced.len(),
        _ => ply.len(),
    }
}

/// A word without the move number before it (`12.e4-f4`), and the length of that
/// number. A word of digits and dots only is a number.
fn without_number(word: &str) -> (&str, usize) {
    let after_digits = word.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let rest = after_digits.trim_start_matches('.');
    // Digits without a dot are a number only when they stand alone.
    if rest.len() == after_digits.len() && !rest.is_empty() {
        return (word, 0);
    }
    (rest, word.len() - rest.len())
}

/// Counts the tags and the plies of a text, variations included, without playing them.
/// Like its reading it goes on behind an error, and counts a malformed tag, too.
pub(super) fn count(text: &str) -> (usize, usize) {
    let (mut scanner, mut tags, mut plies) = (Scanner::new(text), 0, 0);
    loop {
        // An open brace is no token; what follows it is read.
        let Ok(next) = scanner.next() else { continue };
        let Some((_, token)) = next else { break };
        match token {
            Token::Tag { .. } | Token::WrongTag(_) => tags += 1,
            Token::Word(word) => {
                let (rest, _) = without_number(word);
                plies += usize::from(rest.starts_with(|symbol: char| symbol.is_ascii_alphabetic()));
            }
            Token::Comment(_) | Token::Open | Token::Close => {}
        }
    }
    (tags, plies)
}
