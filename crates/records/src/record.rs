//! Game records.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
};

use tabulae_games::{
    AnyMove, AnyPosition, End, EndReason, GameHistory, Illegal, Ply, RuleSet, Side,
};

use super::{GameTree, Glyph, NodeId, Shape};

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

    /// Parses `1-0`, `0-1`, `1/2-1/2` or `*`, and a draw that is written `1/2` or
    /// `0.5-0.5`, or with `½`.
    ///
    /// ```
    /// use tabulae_records::GameResult;
    ///
    /// assert_eq!(GameResult::parse("½-½"), Some(GameResult::Drawn));
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let token = match text {
            "1/2" | "½" | "½-½" | "0.5-0.5" => Self::Drawn.token(),
            other => other,
        };
        Self::ALL.into_iter().find(|result| result.token() == token)
    }

    /// PGN's token for it.
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

/// A game with its players, date, tags, variations, comments and result.
///
/// [`Self::history`] is the main line: what was played. [`Self::tree`] has the
/// variations, too, and [`Self::line_to`] makes a history of any of its nodes.
///
/// A record refuses what cannot be written, so that its text always parses back
/// equal.
///
/// ```
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet, Side};
/// use tabulae_records::{GameResult, Record, read};
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
    /// The place of each of `tags`, by its name.
    tag_places: HashMap<String, usize>,
    tree: GameTree,
}

impl Record {
    /// The record of a game by unknown players, without comments.
    pub fn new(history: GameHistory<AnyPosition>) -> Self {
        let mut tree = GameTree::default();
        let mut node = NodeId::ROOT;
        for ply in history.plies() {
            node = tree.add(node, ply);
        }
        Self {
            players: ["?".to_owned(), "?".to_owned()],
            date: None,
            seed: None,
            history,
            stated_result: GameResult::Unknown,
            termination: None,
            tags: Vec::new(),
            tag_places: HashMap::new(),
            tree,
        }
    }

    /// The rule set.
    pub fn rules(&self) -> RuleSet {
        self.history.start().rules()
    }

    /// The main line.
    pub const fn history(&self) -> &GameHistory<AnyPosition> {
        &self.history
    }

    /// The end by the rules; `None` if they have not ended the game.
    pub fn end(&self) -> Option<End> {
        self.history.turn().end()
    }

    /// The result: that of the rules if they ended the game, else that of
    /// [`Record::stop`].
    pub fn result(&self) -> GameResult {
        self.end().map_or(self.stated_result, GameResult::from)
    }

    /// Why the game ended: the rules' reason if they ended it, else that of
    /// [`Record::stop`].
    pub fn termination(&self) -> Option<&str> {
        match self.end() {
            Some(end) => Some(end.reason.id()),
            None => self.termination.as_deref(),
        }
    }

    /// Sets the result and termination (`resignation`, `adjourned`…) of a game that
    /// the rules have not ended.
    ///
    /// Refused, with `false`, if the rules have ended the game, or if the termination is
    /// one of the rules' own reasons.
    pub fn stop(&mut self, result: GameResult, termination: Option<&str>) -> bool {
        if self.end().is_some() || termination.is_some_and(EndReason::is_id) {
            return false;
        }
        self.stated_result = result;
        self.termination = termination.map(str::to_owned);
        true
    }

    /// The tags besides the record's own, in order.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// The value of one of these tags.
    ///
    /// ```
    /// let text = "[Rules \"tablaaza\"]\n[Event \"Club\"]\n\n*";
    /// let record = &tabulae_records::read(text).unwrap()[0];
    /// assert_eq!((record.tag("Event"), record.tag("Rules")), (Some("Club"), None));
    /// ```
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tag_places.get(name).map(|&place| self.tags[place].1.as_str())
    }

    /// Adds or changes a tag besides the record's own.
    ///
    /// Refused, with `false`, if the name is not a word of ASCII letters, digits,
    /// `_`, `-` and `.`, or is one of the record's own (`Rules`, the sides').
    pub fn set_tag(&mut self, name: &str, value: &str) -> bool {
        if !is_tag_name(name) || own_tags(self.rules()).contains(&name) {
            return false;
        }
        match self.tag_places.get(name) {
            Some(&place) => value.clone_into(&mut self.tags[place].1),
            None => {
                self.tag_places.insert(name.to_owned(), self.tags.len());
                self.tags.push((name.to_owned(), value.to_owned()));
            }
        }
        true
    }

    /// The comments on position `number` of the main line (0 is the start).
    pub fn comments(&self, number: usize) -> &[String] {
        self.main_node(number).map_or(&[], |node| self.tree.annotation(node).comments())
    }

    /// Adds a comment on position `number` of the main line (0 is the start).
    ///
    /// See [`Self::add_comment`]. A position that the game has not reached is
    /// refused with `false`.
    pub fn comment(&mut self, number: usize, text: &str) -> bool {
        self.main_node(number).is_some_and(|node| self.add_comment(node, text))
    }

    /// The main line and all variations.
    pub const fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// The node of position `number` of the main line (0 is the start).
    pub fn main_node(&self, number: usize) -> Option<NodeId> {
        self.tree.main_line().get(number).copied()
    }

    /// Whether a node is on the main line.
    pub fn is_main(&self, node: NodeId) -> bool {
        self.tree.main_line().contains(&node)
    }

    /// The game from the start to a node.
    pub fn line_to(&self, node: NodeId) -> GameHistory<AnyPosition> {
        let path = self.tree.path(node);
        let same = path.iter().zip(&self.tree.main_line()[1..]).take_while(|(one, two)| one == two);
        let same = same.count();
        let mut line = self.history.clone();
        line.truncate(same);
        for ply in path[same..].iter().filter_map(|&node| self.tree.ply(node)) {
            // Every ply of the tree was legal when it was added.
            if line.push(ply).is_err() {
                break;
            }
        }
        line
    }

    /// Plays a ply behind a node and returns the node after it: a new variation,
    /// or the next move where the line ends.
    ///
    /// ```
    /// use tabulae_records::{NodeId, read};
    ///
    /// let mut record = read("[Rules \"tablaaza\"]\n\n1. c7 c6 *").unwrap().remove(0);
    /// let first = record.main_node(1).unwrap();
    /// let other = record.line_to(first).parse("b7").unwrap();
    /// let node = record.play(first, other).unwrap();
    /// assert_eq!(record.tree().children(first)[1], node);
    /// assert!(record.to_string().ends_with("1. c7 c6 (1... b7) *\n"));
    ///
    /// assert!(record.promote(node));
    /// assert!(record.to_string().ends_with("1. c7 b7 (1... c6) *\n"));
    /// assert_eq!(record.delete(node), Some(first));
    /// assert!(record.to_string().ends_with("1. c7 c6 *\n"));
    /// ```
    ///
    /// # Errors
    /// The ply is not legal there; the record is unchanged.
    pub fn play(&mut self, node: NodeId, ply: Ply<AnyMove>) -> Result<NodeId, Illegal> {
        if let Some(known) = self.tree.child(node, ply) {
            return Ok(known);
        }
        self.line_to(node).push(ply)?;
        let added = self.tree.add(node, ply);
        self.follow_main_line();
        Ok(added)
    }

    /// Moves the variation that a node is in one place up: it then comes before the
    /// line that it was a variation of. Returns `false` on the main line.
    pub fn promote(&mut self, node: NodeId) -> bool {
        let mut path = self.tree.path(node).into_iter().rev();
        let Some(first) = path.find(|&node| !self.tree.continues_line(node)) else { return false };
        self.tree.make_first(first);
        self.follow_main_line();
        true
    }

    /// Makes the line to a node the main line. Returns `false` if it is already.
    pub fn make_main(&mut self, node: NodeId) -> bool {
        let mut is_changed = false;
        while self.promote(node) {
            is_changed = true;
        }
        is_changed
    }

    /// Deletes a node with all behind it and returns the node before it. The root
    /// is not deleted.
    pub fn delete(&mut self, node: NodeId) -> Option<NodeId> {
        let parent = self.tree.remove(node)?;
        self.follow_main_line();
        Some(parent)
    }

    /// Adds a comment behind the ply of a node.
    ///
    /// White space around the text is dropped and line ends become `\n`. The
    /// commands `[%csl]` and `[%cal]` become shapes. An empty text is refused with
    /// `false`.
    pub fn add_comment(&mut self, node: NodeId, text: &str) -> bool {
        let rules = self.rules();
        self.tree.annotation_mut(node).add_comment(text, false, rules)
    }

    /// Adds a comment before the ply of a node. Refused, with `false`, if the text
    /// is empty or if no variation begins there.
    pub fn add_comment_before(&mut self, node: NodeId, text: &str) -> bool {
        let rules = self.rules();
        !self.tree.continues_line(node)
            && self.tree.annotation_mut(node).add_comment(text, true, rules)
    }

    /// Removes the comments behind the ply of a node.
    pub fn clear_comments(&mut self, node: NodeId) {
        self.tree.annotation_mut(node).comments.clear();
    }

    /// Sets the glyphs of a node. Refused, with `false`, at the root.
    pub fn set_glyphs(&mut self, node: NodeId, glyphs: impl IntoIterator<Item = Glyph>) -> bool {
        if self.tree.ply(node).is_none() {
            return false;
        }
        self.tree.annotation_mut(node).glyphs = glyphs.into_iter().collect::<BTreeSet<_>>();
        true
    }

    /// Draws a shape at a node, or removes it if it is there in this colour. Refused,
    /// with `false`, if it is not on the board.
    pub fn toggle_shape(&mut self, node: NodeId, shape: Shape) -> bool {
        let rules = self.rules();
        self.tree.annotation_mut(node).toggle_shape(shape, rules)
    }

    /// Removes the shapes of a node.
    pub fn clear_shapes(&mut self, node: NodeId) {
        self.tree.annotation_mut(node).clear_shapes();
    }

    /// Adds the comments, glyphs, shapes and variations that `tree`, of the same
    /// game, has along the main line.
    pub fn adopt(&mut self, tree: &GameTree) {
        let mut theirs = NodeId::ROOT;
        for number in 0..=self.history.len() {
            let Some(ours) = self.main_node(number) else { return };
            self.tree.annotation_mut(ours).merge(tree.annotation(theirs));
            let Some(next) = self.history.ply(number + 1) else { return };
            for &child in tree.children(theirs) {
                if tree.ply(child) != Some(next) {
                    self.tree.copy(ours, tree, child);
                }
            }
            let Some(child) = tree.child(theirs, next) else { return };
            theirs = child;
        }
    }

    /// Makes the history that of the tree's main line. A main line that the rules
    /// ended has no other result.
    fn follow_main_line(&mut self) {
        let main_line = self.tree.main_line();
        let plies: Vec<_> = main_line.iter().filter_map(|&node| self.tree.ply(node)).collect();
        let same = plies.iter().zip(self.history.plies()).take_while(|(one, two)| *one == two);
        let same = same.count();
        self.history.truncate(same);
        for &ply in &plies[same..] {
            // Every ply of the tree was legal when it was added.
            if self.history.push(ply).is_err() {
                break;
            }
        }
        if self.end().is_some() {
            self.stated_result = GameResult::Unknown;
            self.termination = None;
        }
    }

    /// The line that is being read, which may be a variation, and the tree.
    pub(super) const fn parts_to_read(&mut self) -> (&mut GameHistory<AnyPosition>, &mut GameTree) {
        (&mut self.history, &mut self.tree)
    }

    /// Ends reading: all variations are closed.
    pub(super) fn finish_reading(&mut self) {
        self.follow_main_line();
    }
}

/// Whether a text is a valid tag name.
pub(super) fn is_tag_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    !name.is_empty() && name.bytes().all(is_letter)
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
