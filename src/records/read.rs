//! Parsing `.tab` text.

use crate::{
    games::{AnyPosition, EndReason, GameHistory, RuleSet, Side},
    i18n::LocalizedMessage,
};

use super::{
    GameResult, Record, RecordError,
    movetext::Movetext,
    record::own_tags,
    scan::{Location, Scanner, Token},
};

/// Parses all games of a `.tab` text and replays them by the rules.
///
/// ```
/// use tabulae::records::read;
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
    let mut scanner = Scanner::new(text);
    let mut records = Vec::new();
    let mut record = PartialRecord::default();
    while let Some((location, token)) = scanner.next()? {
        match token {
            Token::Tag { name, value, at } => {
                if record.game.is_some() {
                    records.push(std::mem::take(&mut record).finish(location)?);
                }
                record.tag(Tag { name: name.to_owned(), value, location, at })?;
            }
            Token::Comment(text) => record.comment(text),
            Token::Open => record.movetext(location)?.open(location)?,
            Token::Close => record.movetext(location)?.close(location)?,
            Token::Word(word) => record.movetext(location)?.word(word, location)?,
        }
    }
    if record.game.is_some() || !record.tags.is_empty() {
        records.push(record.finish(scanner.location())?);
    }
    if records.is_empty() {
        let reason = LocalizedMessage::new("why.expected-game");
        return Err(RecordError::new(scanner.location(), "", reason));
    }
    Ok(records)
}

/// Parses a file's bytes like [`super::read_any`].
///
/// ```
/// let error = tabulae::records::read_bytes(b"[White \"\xff\"]").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 9));
/// ```
///
/// # Errors
/// Those of [`super::read_any`], and bytes that are not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => super::read_any(text),
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let line = good.matches('\n').count() + 1;
            let column = good.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let reason = LocalizedMessage::new("why.expected-utf8");
            Err(RecordError::new(Location { line, column }, "", reason))
        }
    }
}

struct Tag {
    name: String,
    value: String,
    /// The location of the tag.
    location: Location,
    /// The location of its value.
    at: Location,
}

/// A record while it is parsed.
#[derive(Default)]
struct PartialRecord {
    tags: Vec<Tag>,
    comments: Vec<String>,
    /// `None` until the first word after the tags.
    game: Option<Movetext>,
}

impl PartialRecord {
    fn tag(&mut self, tag: Tag) -> Result<(), RecordError> {
        if let Some(first) = self.tags.iter().find(|known| known.name == tag.name) {
            let reason = LocalizedMessage::new("why.tag-twice").with("line", first.location.line);
            return Err(RecordError::new(tag.location, &tag.name, reason));
        }
        self.tags.push(tag);
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
            let reason = LocalizedMessage::new("why.expected-rules");
            return Err(RecordError::new(location, "", reason));
        };
        let rules: RuleSet = rules.value.parse().map_err(|_| {
            let names = RuleSet::ALL.map(RuleSet::id).join(", ");
            let why = LocalizedMessage::new("why.expected-one-of").with("names", names);
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
                let reason = LocalizedMessage::new("why.expected-number").with("most", u64::MAX);
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
            let reason = LocalizedMessage::new("why.result-tag").with("tag", tag);
            return Err(RecordError::new(at, token.token(), reason));
        }
        let stated = result.or(tagged);
        let termination = self.value("Termination");
        if let Some(end) = record.end() {
            let (right, reason) = (GameResult::from(end), end.reason);
            if let Some((wrong, at)) = stated.filter(|(stated, _)| *stated != right) {
                let reason = LocalizedMessage::new("why.ended-otherwise")
                    .with("right", right)
                    .with("reason", reason);
                return Err(RecordError::new(at, wrong.token(), reason));
            }
            if let Some(tag) = termination.filter(|tag| tag.value != reason.id()) {
                let reason = LocalizedMessage::new("why.ended-by").with("reason", reason);
                return Err(RecordError::new(tag.at, &tag.value, reason));
            }
            return Ok(record);
        }
        let (result, at) = stated.unwrap_or((GameResult::Unknown, location));
        if let Some(tag) = termination {
            if EndReason::is_id(&tag.value) {
                let reason = LocalizedMessage::new("why.not-ended");
                return Err(RecordError::new(tag.at, &tag.value, reason));
            }
        } else if result != GameResult::Unknown {
            let reason = LocalizedMessage::new("why.no-termination");
            return Err(RecordError::new(at, result.token(), reason));
        }
        record.stop(result, termination.map(|tag| tag.value.as_str()));
        Ok(record)
    }
}

fn parse_result(text: &str, at: Location) -> Result<GameResult, RecordError> {
    GameResult::parse(text).ok_or_else(|| {
        let words = GameResult::ALL.map(GameResult::token).join(", ");
        RecordError::new(
            at,
            text,
            LocalizedMessage::new("why.expected-result").with("words", words),
        )
    })
}
