//! A game and what is said about it.

use std::{collections::BTreeMap, fmt};

use crate::games::{AnyPosition, End, EndReason, GameHistory, RuleSet, Side};

/// A result, by who won. `Display` is the record's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0` or `0-1`.
    Won(Side),
    /// `1/2-1/2`.
    Drawn,
    /// `*`: nobody has said how it ended.
    Unknown,
}

impl GameResult {
    /// All four.
    pub const ALL: [Self; 4] =
        [Self::Won(Side::First), Self::Won(Side::Second), Self::Drawn, Self::Unknown];

    /// Reads `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == text)
    }

    /// The record's word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Won(Side::First) => "1-0",
            Self::Won(Side::Second) => "0-1",
            Self::Drawn => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl From<End> for GameResult {
    fn from(end: End) -> Self {
        end.winner.map_or(Self::Drawn, Self::Won)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A game with everything said about it: who played, when, comments, how it
/// ended.
///
/// What cannot be written is not accepted, so that a record always reads back
/// equal from its own text.
///
/// ```
/// use tabulae::{
///     games::{AnyPosition, GameHistory, RuleSet, Side},
///     records::{GameResult, Record, read},
/// };
///
/// let mut record = Record::new(GameHistory::new(AnyPosition::start(RuleSet::Tablan)));
/// record.players[0] = "Aili".to_owned();
/// assert!(record.comment(0, "before the first throw"));
/// assert!(!record.comment(1, "of a ply that was not played"));
/// assert!(record.stop(GameResult::Won(Side::Second), Some("resignation")));
/// assert_eq!(read(&record.to_string()), Ok(vec![record]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Who played, by [`Side::index`]; `?` where nobody said.
    pub players: [String; 2],
    /// When, as `2026.11.20`; any text is kept.
    pub date: Option<String>,
    /// The number the sticks were drawn by. The throws are in the line: a
    /// record replays without it.
    pub seed: Option<u64>,
    line: GameHistory<AnyPosition>,
    stopped: GameResult,
    termination: Option<String>,
    tags: Vec<(String, String)>,
    comments: BTreeMap<usize, Vec<String>>,
}

impl Record {
    /// The record of `line`, by unnamed players and without comments.
    #[must_use]
    pub fn new(line: GameHistory<AnyPosition>) -> Self {
        Self {
            players: ["?".to_owned(), "?".to_owned()],
            date: None,
            seed: None,
            line,
            stopped: GameResult::Unknown,
            termination: None,
            tags: Vec::new(),
            comments: BTreeMap::new(),
        }
    }

    /// The rules it was played by.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.line.start().rules()
    }

    /// The game.
    #[must_use]
    pub const fn history(&self) -> &GameHistory<AnyPosition> {
        &self.line
    }

    /// The end the rules made, if they did.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.line.turn().end()
    }

    /// The result: the rules' if they ended the game, else what was agreed.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.end().map_or(self.stopped, GameResult::from)
    }

    /// Why the game stopped: the rules' reason if they ended it, else what
    /// [`Record::stop`] was told.
    #[must_use]
    pub fn termination(&self) -> Option<&str> {
        match self.end() {
            Some(end) => Some(end.reason.id()),
            None => self.termination.as_deref(),
        }
    }

    /// Says how a game that the rules have not ended was left: `resignation`,
    /// `time`, `adjourned`…
    ///
    /// Refused, with `false`, when the rules have ended the game, when the
    /// reason is one of the rules' own, or when there is a result and no
    /// reason.
    pub fn stop(&mut self, result: GameResult, termination: Option<&str>) -> bool {
        let unfounded = result != GameResult::Unknown && termination.is_none();
        if self.end().is_some() || termination.is_some_and(EndReason::is_id) || unfounded {
            return false;
        }
        self.stopped = result;
        self.termination = termination.map(str::to_owned);
        true
    }

    /// The tags beyond the record's own, in order.
    #[must_use]
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Adds or changes a tag beyond the record's own.
    ///
    /// Refused, with `false`, when the name is not a word of ASCII letters,
    /// digits and `_`, or is one of the record's own (`Rules`, the sides').
    pub fn set_tag(&mut self, name: &str, value: &str) -> bool {
        if !is_tag_name(name) || own_tags(self.rules()).contains(&name) {
            return false;
        }
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
        true
    }

    /// What is said about position `number` (0 is the start).
    #[must_use]
    pub fn comments(&self, number: usize) -> &[String] {
        self.comments.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Says something about position `number` (0 is the start).
    ///
    /// White space around the text is dropped and line ends become `\n`; an
    /// empty text or a position the game has not reached is refused with
    /// `false`.
    pub fn comment(&mut self, number: usize, text: &str) -> bool {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.trim();
        if text.is_empty() || number > self.line.len() {
            return false;
        }
        self.comments.entry(number).or_default().push(text.to_owned());
        true
    }

    /// Plays one more ply; for the reader, which builds a record as it goes.
    pub(super) const fn line_mut(&mut self) -> &mut GameHistory<AnyPosition> {
        &mut self.line
    }
}

/// Whether a tag may be called so.
pub(super) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The tags that a record writes from its own fields, in their order.
pub(super) const fn own_tags(rules: RuleSet) -> [&'static str; 8] {
    [
        "Rules",
        "Date",
        rules.side_name(Side::First),
        rules.side_name(Side::Second),
        "Seed",
        "Position",
        "Result",
        "Termination",
    ]
}
