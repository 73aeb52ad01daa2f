//! Variations: their addresses, and how they are added to a record.
//!
//! `12b.1.2a.` is the second turn of the first variation at the second move of turn 12.
//! A variation that begins with the second move of a turn has `.....` for the first.
//! On the main line the address before the variation's number is that of the move which
//! the variation replaces. Within a variation OpenTafl writes the address of the move
//! before it instead. Whether `.....` is there tells the two apart.

use crate::reasons;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use tabulae_games::{AnyPosition, GameHistory, Reason};

use super::{
    super::{GameTree, NodeId, Record, RecordError, error::Location},
    play,
};

/// What stands for the first move of a turn that begins with the second.
pub(super) const SKIPPED: &str = ".....";

/// A turn of a variation, as it stands in the text.
pub(super) struct VariationTurn<'a> {
    at: Location,
    address: &'a str,
    pub(super) words: Vec<(Location, &'a str)>,
    pub(super) comments: Vec<&'a str>,
}

/// The place of a move in its line: `0` for `1a`, `1` for `1b`, `2` for `2a`.
#[derive(Clone, Copy)]
pub(super) struct Place(pub(super) usize);

impl Place {
    /// Parses `12b`.
    fn parse(text: &str) -> Option<Self> {
        let (turn, half) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let turn: usize = turn.parse().ok().filter(|_| is_number(turn))?;
        let half = match half {
            "a" => 0,
            "b" => 1,
            _ => return None,
        };
        // No line has as many moves.
        let turn = turn.checked_sub(1).filter(|turn| *turn < u32::MAX as usize)?;
        Some(Self(2 * turn + half))
    }

    const fn is_second(self) -> bool {
        self.0 % 2 == 1
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2 + 1, if self.is_second() { 'b' } else { 'a' })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The address of a variation: that of its line, and where it begins.
struct Address<'a> {
    /// The variation: `12b.1`.
    line: &'a str,
    /// The line that it belongs to; empty for the main line.
    parent: &'a str,
    place: Place,
}

impl<'a> Address<'a> {
    /// Parses the address of a turn: `12b.1.2a.`
    fn parse(text: &'a str) -> Option<Self> {
        let text = text.strip_suffix('.').unwrap_or(text);
        let (line, turn) = text.rsplit_once('.')?;
        let (before, number) = line.rsplit_once('.')?;
        let (parent, place) = before.rsplit_once('.').unwrap_or(("", before));
        Place::parse(turn)?;
        let place = Place::parse(place).filter(|_| is_number(number))?;
        Some(Self { line, parent, place })
    }
}

impl<'a> VariationTurn<'a> {
    pub(super) const fn new(at: Location, address: &'a str) -> Self {
        Self { at, address, words: Vec::new(), comments: Vec::new() }
    }

    /// The numbers of its line's address, `12b.1`.
    fn order(&self) -> Vec<usize> {
        let Some(address) = Address::parse(self.address) else { return Vec::new() };
        let number = |part: &str| match Place::parse(part) {
            Some(Place(place)) => place,
            None => part.parse().unwrap_or(usize::MAX),
        };
        address.line.split('.').map(number).collect()
    }
}

/// A line of a tree that is played up to one of its nodes.
pub(super) struct Cursor {
    pub(super) history: GameHistory<AnyPosition>,
    /// The nodes of the plies of the history, the root first.
    nodes: Vec<NodeId>,
}

impl Cursor {
    pub(super) fn new(history: GameHistory<AnyPosition>, nodes: &[NodeId]) -> Self {
        Self { history, nodes: nodes.to_vec() }
    }

    /// Goes to a node, by the plies that are not shared alone.
    pub(super) fn go_to(&mut self, tree: &GameTree, node: NodeId) {
        let mut ahead = Vec::new();
        let (mut at, depth) = (node, tree.depth(node));
        while self.nodes.get(depth - ahead.len()) != Some(&at) {
            let Some(parent) = tree.parent(at) else { break };
            ahead.push(at);
            at = parent;
        }
        self.nodes.truncate(depth - ahead.len() + 1);
        self.history.truncate(depth - ahead.len());
        for node in ahead.into_iter().rev() {
            // Every ply of the tree was legal when it was added.
            let Some(Ok(_)) = tree.ply(node).map(|ply| self.history.push(ply)) else { return };
            self.nodes.push(node);
        }
    }
}

/// Adds the turns of variations to the record of their main line.
///
/// # Errors
/// The first address in the text that names no move, or the first move that is malformed
/// or illegal.
pub(super) fn add(record: &mut Record, turns: &[VariationTurn<'_>]) -> Result<(), RecordError> {
    // Each line before those within it, and forwards along it: so none is played often.
    let mut turns: Vec<_> = turns.iter().map(|turn| (turn.order(), turn)).collect();
    turns.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut lines = Lines::new(record);
    let mut errors = Vec::new();
    // Lines with an error, and those within them: what follows from it is no other error.
    let mut wrong = BTreeSet::new();
    for (_, turn) in turns {
        let address = Address::parse(turn.address);
        let line = address.as_ref().map_or(turn.address, |address| address.line);
        if wrong.contains(line)
            || address.as_ref().is_some_and(|address| wrong.contains(address.parent))
        {
            wrong.insert(line);
        } else if let Err(error) = lines.add(record, turn, address) {
            wrong.insert(line);
            errors.push(error);
        }
    }
    let first = errors.into_iter().min_by_key(|error| (error.line, error.column));
    first.map_or(Ok(()), Err)
}

/// The lines of a record while variations are added to it.
struct Lines<'a> {
    /// The nodes of each line by their places.
    nodes: BTreeMap<&'a str, Vec<Option<NodeId>>>,
    cursor: Cursor,
}

impl<'a> Lines<'a> {
    fn new(record: &Record) -> Self {
        let main: Vec<_> = record.tree().main_line()[1..].iter().copied().map(Some).collect();
        let cursor = Cursor::new(record.history().clone(), record.tree().main_line());
        Self { nodes: BTreeMap::from([("", main)]), cursor }
    }

    /// Adds a turn behind those of its line that were added before.
    fn add(
        &mut self,
        record: &mut Record,
        turn: &VariationTurn<'a>,
        address: Option<Address<'a>>,
    ) -> Result<(), RecordError> {
        let wrong = || {
            let why = Reason::new(reasons::OTN_ADDRESS);
            RecordError::new(turn.at, turn.address, why)
        };
        let address = address.ok_or_else(wrong)?;
        let skips = turn.words.first().is_some_and(|(_, word)| *word == SKIPPED);
        let (mut node, mut nodes) = if let Some(nodes) = self.nodes.remove(address.line) {
            (nodes.iter().rev().find_map(|node| *node), nodes)
        } else {
            let Place(place) = address.place;
            let replaced = place + usize::from(skips != address.place.is_second());
            let line = self.nodes.get(address.parent).ok_or_else(wrong)?;
            let replaced = line.get(replaced).copied().flatten().ok_or_else(wrong)?;
            let nodes = if skips { vec![None] } else { Vec::new() };
            (record.tree().parent(replaced), nodes)
        };
        let mut before = node.take().ok_or_else(wrong)?;
        self.cursor.go_to(record.tree(), before);
        let mut comments = turn.comments.iter();
        // A resignation in a variation ends nothing.
        let words = turn.words.iter().filter(|(_, word)| !matches!(*word, SKIPPED | "---"));
        for (at, word) in words {
            let ply = play(&mut self.cursor.history, word, *at)?;
            let (_, tree) = record.parts_to_read();
            before = tree.child(before, ply).unwrap_or_else(|| tree.add(before, ply));
            self.cursor.nodes.push(before);
            nodes.push(Some(before));
            if let Some(comment) = comments.next() {
                record.add_comment(before, comment);
            }
        }
        for comment in comments {
            record.add_comment(before, comment);
        }
        self.nodes.insert(address.line, nodes);
        Ok(())
    }
}
