//! Parsing `.tab` text.

use crate::reasons;
use std::collections::HashMap;

use tabulae_games::{AnyPosition, EndReason, GameHistory, Reason, RuleSet, Side};

use super::{
    GameResult, Record, RecordError, import,
    movetext::Movetext,
    record::own_tags,
    scan::{Location, Scanner, Token, with_hyphens, with_line_feeds},
};

/// Parses all games of a `.tab` text and replays them by the rules.
///
/// ```
/// use tabulae_records::read;
///
/// let records = read("[Rules \"tablaaza\"]\n\n1. c7 b7 *").unwrap();
/// assert_eq!(records[0].history().len(), 2);
///
/// let error = read("[Rules \"tablaaza\"]\n\n1. c7 h1 *").unwrap_err();
/// assert_eq!((error.line, error.column, error.text.as_str()), (3, 7, "h1"));
/// ```
///
/// # Errors
/// The first error: a malformed tag, an illegal ply, a result that contradicts the
/// rules, or a text without a game.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    read_each(text).into_iter().collect()
}

/// Parses the games of a `.tab` text, each by itself: an error ends its game, and the
/// next game begins at the next tag behind moves.
pub(super) fn read_each(text: &str) -> Vec<Result<Record, RecordError>> {
    read_each_with(text, Vec::new())
}

/// As [`read_each`], with the locations in order where the text had bytes that are not
/// UTF-8: each is an error of its game.
fn read_each_with(text: &str, wrong: Vec<Location>) -> Vec<Result<Record, RecordError>> {
    let text = with_line_feeds(text);
    let mut wrong = wrong.into_iter().peekable();
    let mut scanner = Scanner::new(&text);
    let mut games = Vec::new();
    let mut game = PartialRecord::default();
    loop {
        let next = scanner.next();
        if let Ok(Some((location, Token::Tag { .. } | Token::WrongTag(_)))) = &next
            && game.has_moves
        {
            games.push(std::mem::take(&mut game).finish(*location));
        }
        while let Some(at) = wrong.next_if(|at| *at < scanner.location()) {
            game.error.get_or_insert_with(|| not_utf8(at));
        }
        match next {
            Ok(None) => break,
            Ok(Some((location, token))) => game.add(token, location),
            Err(error) => {
                game.error.get_or_insert(error);
            }
        }
    }
    if game.has_moves || game.error.is_some() || !game.tags.is_empty() {
        games.push(game.finish(scanner.location()));
    }
    if games.is_empty() {
        let reason = Reason::new(reasons::EXPECTED_GAME);
        games.push(Err(RecordError::new(scanner.location(), "", reason)));
    }
    games
}

/// Parses a file's bytes like [`super::read_any`].
///
/// ```
/// let error = tabulae_records::read_bytes(b"[White \"\xff\"]").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 9));
/// ```
///
/// # Errors
/// The errors of [`super::read_any`], and bytes that are not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    read_games(bytes).into_iter().collect()
}

/// Parses each game of a file's bytes by itself, in any format that [`super::read_any`]
/// reads. The games are in the order of the file. There is at least one, which is the
/// error of a file without a game. A byte that is not UTF-8 is an error of its game in
/// `.tab` text, and of the whole file in another format.
///
/// ```
/// use tabulae_records::read_games;
///
/// let two = b"[Rules \"tablaaza\"]\n1. c7 h1 *\n[Rules \"tablaaza\"]\n1. c7 b7 *";
/// let games = read_games(two);
/// assert!(games[0].is_err());
/// assert_eq!(games[1].as_ref().unwrap().history().len(), 2);
/// ```
#[must_use]
pub fn read_games(bytes: &[u8]) -> Vec<Result<Record, RecordError>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return import::read_each(text);
    }
    let (text, wrong) = lossy(bytes);
    match wrong.first() {
        // In the other formats it is not told which game a byte belongs to.
        Some(first) if import::Format::of(&text) != import::Format::Tab => {
            vec![Err(not_utf8(*first))]
        }
        _ => read_each_with(&text, wrong),
    }
}

/// The text of bytes, without a byte order mark, with a sign for each part that is not
/// UTF-8, and the locations of these.
fn lossy(bytes: &[u8]) -> (String, Vec<Location>) {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (mut text, mut wrong, mut location) = (String::new(), Vec::new(), Location::START);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        location = with_line_feeds(chunk.valid()).chars().fold(location, Location::behind);
        if !chunk.invalid().is_empty() {
            wrong.push(location);
            text.push(char::REPLACEMENT_CHARACTER);
            location = location.behind(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, wrong)
}

fn not_utf8(location: Location) -> RecordError {
    RecordError::new(location, "", Reason::new(reasons::EXPECTED_UTF8))
}

struct Tag {
    name: String,
    value: String,
    /// The location of its value.
    at: Location,
}

/// A record while it is parsed.
#[derive(Default)]
struct PartialRecord {
    tags: Vec<Tag>,
    /// The line of each tag, by its name.
    tag_lines: HashMap<String, usize>,
    comments: Vec<String>,
    /// `None` until the first word after the tags.
    game: Option<Movetext>,
    /// Whether a word or a parenthesis came after the tags.
    has_moves: bool,
    /// The first error. What follows it in the game is skipped.
    error: Option<RecordError>,
}

impl PartialRecord {
    /// Adds a token, or notes that it is wrong.
    fn add(&mut self, token: Token<'_>, location: Location) {
        self.has_moves |= matches!(token, Token::Open | Token::Close | Token::Word(_));
        if self.error.is_none() {
            self.error = self.try_add(token, location).err();
        }
    }

    fn try_add(&mut self, token: Token<'_>, location: Location) -> Result<(), RecordError> {
        match token {
            Token::Tag { name, value, at } => self.tag(name, value, location, at),
            Token::WrongTag(error) => Err(error),
            Token::Comment(text) => {
                self.comment(text);
                Ok(())
            }
            Token::Open => self.movetext(location)?.open(location),
            Token::Close => self.movetext(location)?.close(location),
            Token::Word(word) => self.movetext(location)?.word(word, location),
        }
    }

    fn tag(
        &mut self,
        name: &str,
        value: String,
        location: Location,
        at: Location,
    ) -> Result<(), RecordError> {
        if let Some(line) = self.tag_lines.insert(name.to_owned(), location.line) {
            let reason = Reason::new(reasons::TAG_TWICE).with("line", line);
            return Err(RecordError::new(location, name, reason));
        }
        self.tags.push(Tag { name: name.to_owned(), value, at });
        Ok(())
    }

    fn comment(&mut self, text: String) {
        match &mut self.game {
            Some(game) => game.comment(text),
            None => self.comments.push(text),
        }
    }

    /// The plies, which begin at `location` if there were none before.
    fn movetext(&mut self, location: Location) -> Result<&mut Movetext, RecordError> {
        let game = match self.game.take() {
            Some(game) => game,
            None => Movetext::new(self.begin(location)?),
        };
        Ok(self.game.insert(game))
    }

    fn value(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The record of the tags, before the first ply. `location` is where the plies begin.
    fn begin(&self, location: Location) -> Result<Record, RecordError> {
        let Some(rules) = self.value("Rules") else {
            let reason = Reason::new(reasons::EXPECTED_RULES);
            return Err(RecordError::new(location, "", reason));
        };
        let rules: RuleSet = rules.value.parse().map_err(|_| {
            let names = RuleSet::ALL.map(RuleSet::id).join(", ");
            let why = Reason::new(reasons::EXPECTED_ONE_OF).with("names", names);
            RecordError::new(rules.at, &rules.value, why)
        })?;
        let start = match self.value("Position") {
            None => AnyPosition::start(rules),
            Some(tag) => AnyPosition::parse(rules, &tag.value)
                .map_err(|error| RecordError::new(tag.at, &tag.value, error.message))?,
        };
        let mut record = Record::new(GameHistory::new(start));
        for side in Side::BOTH {
            if let Some(tag) = self.value(rules.side_name(side)) {
                record.players[side.index()].clone_from(&tag.value);
            }
        }
        record.date = self.value("Date").map(|tag| tag.value.clone());
        if let Some(tag) = self.value("Seed") {
            let seed = tag.value.parse().map_err(|_| {
                let reason = Reason::new(reasons::EXPECTED_NUMBER).with("most", u64::MAX);
                RecordError::new(tag.at, &tag.value, reason)
            })?;
            record.seed = Some(seed);
        }
        for tag in &self.tags {
            if !own_tags(rules).contains(&tag.name.as_str()) {
                record.set_tag(&tag.name, &tag.value);
            }
        }
        for comment in &self.comments {
            record.comment(0, comment);
        }
        Ok(record)
    }

    /// Checks the stated result and termination against the rules. `location` is the end
    /// of the game's text.
    fn finish(mut self, location: Location) -> Result<Record, RecordError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let (mut record, result) = match self.game.take() {
            Some(game) => game.finish()?,
            None => (self.begin(location)?, None),
        };
        let tagged = match self.value("Result") {
            None => None,
            Some(tag) => Some((parse_result(&tag.value, tag.at)?, tag.at)),
        };
        if let (Some((token, at)), Some((tag, _))) = (result, tagged)
            && token != tag
        {
            let reason = Reason::new(reasons::RESULT_TAG).with("tag", tag);
            return Err(RecordError::new(at, token.token(), reason));
        }
        let stated = result.or(tagged);
        let termination = self.value("Termination");
        if let Some(end) = record.end() {
            let (right, reason) = (GameResult::from(end), end.reason);
            if let Some((wrong, at)) = stated.filter(|(stated, _)| *stated != right) {
                let reason = Reason::new(reasons::ENDED_OTHERWISE)
                    .with("right", right)
                    .with("reason", reason);
                return Err(RecordError::new(at, wrong.token(), reason));
            }
            if let Some(tag) = termination.filter(|tag| tag.value != reason.id()) {
                let reason = Reason::new(reasons::ENDED_BY).with("reason", reason);
                return Err(RecordError::new(tag.at, &tag.value, reason));
            }
            return Ok(record);
        }
        if let Some(tag) = termination.filter(|tag| EndReason::is_id(&tag.value)) {
            let reason = Reason::new(reasons::NOT_ENDED);
            return Err(RecordError::new(tag.at, &tag.value, reason));
        }
        let result = stated.map_or(GameResult::Unknown, |(result, _)| result);
        record.stop(result, termination.map(|tag| tag.value.as_str()));
        Ok(record)
    }
}

fn parse_result(text: &str, at: Location) -> Result<GameResult, RecordError> {
    GameResult::parse(&with_hyphens(text)).ok_or_else(|| {
        let words = GameResult::ALL.map(GameResult::token).join(", ");
        RecordError::new(at, text, Reason::new(reasons::EXPECTED_RESULT).with("words", words))
    })
}
