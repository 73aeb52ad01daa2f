//! Writes records in OpenTafl's notation.

use std::fmt::Write as _;

use crate::{GameResult, NodeId, Record};
use tabulae_games::{
    AnyPosition, EndReason, Event, Game as _, GameHistory, Ply, Side, tablut::Army,
};

use super::{
    COPIED_TAGS, one_line,
    rules::rules_text,
    side_of,
    variations::{Cursor, Place, SKIPPED},
};

/// A record in this notation; `None` if it is not of Tablut, or begins with the army that
/// does not move first. Glyphs and shapes are left out: the notation has none.
pub fn write(record: &Record) -> Option<String> {
    let rules = record.rules();
    let described = rules_text(rules)?;
    let history = record.history();
    if history.start().side() != Side::First {
        return None;
    }
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() && value != "?" {
            // Writing to a text cannot fail.
            _ = writeln!(text, "[{name}:{}]", unbracketed(value));
        }
    };
    for (name, own) in COPIED_TAGS {
        tag(name, record.tag(own).unwrap_or_default());
    }
    tag("date", record.date.as_deref().unwrap_or_default());
    tag("attackers", &record.players[side_of(record, Army::Black).index()]);
    tag("defenders", &record.players[side_of(record, Army::White).index()]);
    tag("variant", rules.id());
    let result = match record.result() {
        GameResult::Won(side) if side == side_of(record, Army::Black) => "1",
        GameResult::Won(_) => "-1",
        GameResult::Drawn => "0",
        GameResult::Unknown => "",
    };
    tag("result", result);
    tag("termination", record.termination().unwrap_or_default());
    tag("start-comment", &record.comments(0).join(" "));
    _ = writeln!(text, "[rules:{described} start:{}]\n", rows(history.start()));
    let mut cursor = Cursor::new(history.clone(), record.tree().main_line());
    let mut left = vec![(Line::main(record), 0)];
    while let Some((line, first)) = left.pop() {
        let end = line.write_turn(record, first, &mut cursor, &mut text)?;
        let variations = line.variations(record, first..end);
        if end < line.nodes.len() {
            left.push((line, end));
        }
        left.extend(variations.into_iter().rev().map(|line| (line, 0)));
    }
    Some(text)
}

/// The main line, or a variation to its end.
struct Line {
    /// The address of a variation, `12b.1`; empty for the main line.
    address: String,
    /// The place of the first node: 1 if it is the second move of its turn.
    offset: usize,
    nodes: Vec<NodeId>,
    /// The number of plies before the first node.
    before: usize,
}

impl Line {
    fn main(record: &Record) -> Self {
        let nodes = record.tree().main_line()[1..].to_vec();
        Self { address: String::new(), offset: 0, nodes, before: 0 }
    }

    fn place(&self, index: usize) -> Place {
        Place(index + self.offset)
    }

    /// Writes the turn that begins with this node, with its comments. Returns the index
    /// behind its last one.
    fn write_turn(
        &self,
        record: &Record,
        first: usize,
        cursor: &mut Cursor,
        text: &mut String,
    ) -> Option<usize> {
        let Place(place) = self.place(first);
        let is_half = place % 2 == 1;
        let end = (first + if is_half { 1 } else { 2 }).min(self.nodes.len());
        if first == end {
            return Some(end);
        }
        let turn = place / 2 + 1;
        // Writing to a text cannot fail.
        _ = match self.address.as_str() {
            "" => write!(text, "{turn}."),
            address => write!(text, "{address}.{turn}a."),
        };
        if is_half {
            _ = write!(text, " {SKIPPED}");
        }
        cursor.go_to(record.tree(), self.nodes[end - 1]);
        for index in first..end {
            _ = write!(text, " {}", move_text(&cursor.history, self.before + index + 1)?);
        }
        text.push('\n');
        let comments = self.nodes[first..end].iter().map(|node| {
            let note = record.tree().annotation(*node);
            let all: Vec<_> = note.comments_before().iter().chain(note.comments()).collect();
            let all: Vec<_> = all.into_iter().map(|comment| unbracketed(comment)).collect();
            all.join(" ")
        });
        let comments: Vec<_> = comments.collect();
        if comments.iter().any(|comment| !comment.is_empty()) {
            _ = writeln!(text, "[{}]", comments.join("|"));
        }
        Some(end)
    }

    /// The variations at these nodes.
    fn variations(&self, record: &Record, nodes: std::ops::Range<usize>) -> Vec<Self> {
        let (tree, mut variations) = (record.tree(), Vec::new());
        // The first node of a variation is one itself.
        for index in nodes.filter(|index| *index > 0 || self.address.is_empty()) {
            let at = match self.address.as_str() {
                "" => self.place(index).to_string(),
                // The move before it, as OpenTafl writes it.
                address => format!("{address}.{}", self.place(index - 1)),
            };
            let parent = tree.parent(self.nodes[index]).unwrap_or(NodeId::ROOT);
            for (number, &first) in (1..).zip(tree.children(parent).iter().skip(1)) {
                variations.push(Self {
                    address: format!("{at}.{number}"),
                    offset: self.place(index).0 % 2,
                    nodes: tree.line(first).collect(),
                    before: self.before + index,
                });
            }
        }
        variations
    }
}

/// A ply with its captures and, at the end of the game, its sign.
fn move_text(history: &GameHistory<AnyPosition>, ply: usize) -> Option<String> {
    let (before, played) = (history.at(ply - 1)?, history.ply(ply)?);
    let (AnyPosition::Tablut(before), Ply::Move(mv)) = (before, played) else { return None };
    let mv = mv.to_string();
    let king = before.king().map(|king| king.to_string());
    let sign = |square: &str| if king.as_deref() == Some(square) { "K" } else { "" };
    let mut text = sign(mv.split('-').next()?).to_owned() + &mv;
    let mut divider = 'x';
    for event in history.events(ply) {
        match event {
            Event::Captured { at, .. } => {
                let at = at.to_string();
                _ = write!(text, "{divider}{}{at}", sign(&at));
                divider = '/';
            }
            Event::Ended(end) if end.reason == EndReason::KingCaptured => text.push_str("++"),
            Event::Ended(end) if end.reason == EndReason::Escape => text.push_str("--"),
            _ => {}
        }
    }
    Some(text)
}

/// The rows of a position from rank 1, as this notation writes them.
fn rows(position: &AnyPosition) -> String {
    let text = position.to_string();
    let rows = text.split(' ').next().unwrap_or_default();
    let letter = |symbol: char| match symbol {
        'W' => 'T',
        'B' => 't',
        other => other,
    };
    let rows: Vec<_> = rows.split('/').rev().collect();
    format!("/{}/", rows.join("/").chars().map(letter).collect::<String>())
}

/// A text on one line, without the symbols that the notation uses.
fn unbracketed(text: &str) -> String {
    one_line(text).replace('[', "(").replace(']', ")").replace('|', "/")
}
