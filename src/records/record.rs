//! Game records.

use std::{collections::BTreeMap, fmt};

use crate::games::{AnyPosition, End, EndReason, GameHistory, RuleSet, Side};

/// The result of a game, as in PGN. `Display` writes PGN's token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0` or `0-1`.
    Won(Side),
    /// `1/2-1/2`.
    Drawn,
    /// `*`: unfinished or unknown.
    Unknown,
}

impl GameResult {
    /// All four results.
    pub const ALL: [Self; 4] =
        [Self::Won(Side::First), Self::Won(Side::Second), Self::Drawn, Self::Unknown];

    /// Parses `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.token() == text)
    }

    /// PGN's token for it.
    #[must_use]
    pub const fn token(self) -> &'static str {
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
        f.write_str(self.token())
    }
}

/// A game with its players, date, tags, comments and result.
///
/// A record refuses what cannot be written, so that its text always parses back
/// equal.
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
    /// The players' names, by [`Side::index`]; `?` if unknown.
    pub players: [String; 2],
    /// The date as `2026.11.20`; any text is kept.
    pub date: Option<String>,
    /// The seed of the throws. The throws are in the history, so a record replays
    /// without it.
    pub seed: Option<u64>,
    history: GameHistory<AnyPosition>,
    /// The result of a game that the rules have not ended.
    stated_result: GameResult,
    termination: Option<String>,
    tags: Vec<(String, String)>,
    comments: BTreeMap<usize, Vec<String>>,
}

impl Record {
    /// The record of a game by unknown players, without comments.
    #[must_use]
    pub fn new(history: GameHistory<AnyPosition>) -> Self {
        Self {
            players: ["?".to_owned(), "?".to_owned()],
            date: None,
            seed: None,
            history,
            stated_result: GameResult::Unknown,
            termination: None,
            tags: Vec::new(),
            comments: BTreeMap::new(),
        }
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.history.start().rules()
    }

    /// The game.
    #[must_use]
    pub const fn history(&self) -> &GameHistory<AnyPosition> {
        &self.history
    }

    /// The end by the rules; `None` if they have not ended the game.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.history.turn().end()
    }

    /// The result: that of the rules if they ended the game, else that of
    /// [`Record::stop`].
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.end().map_or(self.stated_result, GameResult::from)
    }

    /// Why the game ended: the rules' reason if they ended it, else that of
    /// [`Record::stop`].
    #[must_use]
    pub fn termination(&self) -> Option<&str> {
        match self.end() {
            Some(end) => Some(end.reason.id()),
            None => self.termination.as_deref(),
        }
    }

    /// Sets the result and termination (`resignation`, `adjourned`…) of a game that
    /// the rules have not ended.
    ///
    /// Refused, with `false`, if the rules have ended the game, if the termination is
    /// one of the rules' own reasons, or if a result comes without a termination.
    pub fn stop(&mut self, result: GameResult, termination: Option<&str>) -> bool {
        let unfounded = result != GameResult::Unknown && termination.is_none();
        if self.end().is_some() || termination.is_some_and(EndReason::is_id) || unfounded {
            return false;
        }
        self.stated_result = result;
        self.termination = termination.map(str::to_owned);
        true
    }

    /// The tags besides the record's own, in order.
    #[must_use]
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Adds or changes a tag besides the record's own.
    ///
    /// Refused, with `false`, if the name is not a word of ASCII letters,
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

    /// The comments on position `number` (0 is the start).
    #[must_use]
    pub fn comments(&self, number: usize) -> &[String] {
        self.comments.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Adds a comment on position `number` (0 is the start).
    ///
    /// White space around the text is dropped and line ends become `\n`. An empty
    /// text and a position that the game has not reached are refused with `false`.
    pub fn comment(&mut self, number: usize, text: &str) -> bool {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.trim();
        if text.is_empty() || number > self.history.len() {
            return false;
        }
        self.comments.entry(number).or_default().push(text.to_owned());
        true
    }

    /// The game, for the parser to play plies.
    pub(super) const fn history_mut(&mut self) -> &mut GameHistory<AnyPosition> {
        &mut self.history
    }
}

/// Whether a text is a valid tag name.
pub(super) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The tags that a record writes from its fields, in order.
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
