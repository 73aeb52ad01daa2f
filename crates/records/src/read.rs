//! Parsing `.tab` text.

use crate::reasons;
use std::collections::HashMap;

use tabulae_games::{AnyPosition, EndReason, GameHistory, Reason, RuleSet, Side};

use super::{
    GameResult, Record, RecordError,
    error::Location,
    movetext::Movetext,
    record::own_tags,
    scan::{Scanner, Token, with_hyphens, with_line_feeds},
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
pub(super) fn read_each_with(text: &str, wrong: Vec<Location>) -> Vec<Result<Record, RecordError>> {
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

pub(super) fn not_utf8(location: Location) -> RecordError {
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
