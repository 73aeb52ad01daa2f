//! The second implementation of the rules, slow and literal: maps of square names,
//! written sentence by sentence from the rules, without any code of the program.
//!
//! It communicates by texts only, as another program would: positions, moves and
//! events. [`Tally`] counts how often each rule was applied, so that a comparison
//! can show that it covered the rare ones.

pub(crate) mod tablaaza;
pub(crate) mod tablan;
pub(crate) mod tablut;

use std::collections::{BTreeMap, BTreeSet};

/// A square by its name, `['e', '4']`.
pub(crate) type Name = [char; 2];

/// The pieces by square.
pub(crate) type Board = BTreeMap<Name, char>;

/// How often each rule was applied.
pub(crate) type Tally = BTreeMap<&'static str, u64>;

/// Up, down, right and left.
pub(crate) const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

/// What random games prefer, so that they reach the rare rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    /// Any ply.
    Nothing,
    /// Captures, or pavilions.
    Captures,
    /// The king close to enemies; in Tablan the leading pieces.
    Ahead,
    /// Moving back; in Tablan moving pairs.
    Again,
}

/// What a move does, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReferenceMove {
    /// The squares that it captures or raises pavilions on.
    pub(crate) with: BTreeSet<String>,
    /// How well it fits the preference.
    pub(crate) appeal: i32,
}

/// A game in progress by the second implementation.
pub(crate) trait ReferenceGame {
    /// The position's text.
    fn text(&self) -> String;

    /// `move w`, `throw s` or `over w escape` (`over - repetition` if drawn).
    fn due(&self) -> String;

    /// All legal moves by text; none when a throw is due.
    fn moves(&self, preference: Preference) -> BTreeMap<String, ReferenceMove>;

    /// Plays a legal move or a throw `t0` to `t4`, and returns its events, sorted.
    fn play(&mut self, ply: &str, tally: &mut Tally) -> Vec<String>;
}

/// The square with this name.
pub(crate) fn name(text: &str) -> Name {
    let mut symbols = text.chars();
    [symbols.next().unwrap(), symbols.next().unwrap()]
}

/// The name of a square.
pub(crate) fn word(name: Name) -> String {
    name.iter().collect()
}

/// The square a number of files and ranks away, on a board with files `a` to `last`
/// and ranks `1` to `rows`.
pub(crate) fn step(from: Name, (x, y): (i32, i32), last: char, rows: char) -> Option<Name> {
    let shift = |symbol: char, by: i32| char::from_u32((symbol as u32).checked_add_signed(by)?);
    let to = [shift(from[0], x)?, shift(from[1], y)?];
    (('a'..=last).contains(&to[0]) && ('1'..=rows).contains(&to[1])).then_some(to)
}

/// The ranks from the last to the first, with numbers for runs of empty squares and
/// `~` for the squares of `none`.
pub(crate) fn drawing(board: &Board, last: char, rows: char, none: &BTreeSet<Name>) -> String {
    let mut lines = Vec::new();
    for row in ('1'..=rows).rev() {
        let (mut line, mut free) = (String::new(), 0);
        for column in 'a'..=last {
            let at = [column, row];
            let stands = if none.contains(&at) { Some('~') } else { board.get(&at).copied() };
            match stands {
                None => free += 1,
                Some(symbol) => {
                    if free > 0 {
                        line += &free.to_string();
                    }
                    free = 0;
                    line.push(symbol);
                }
            }
        }
        if free > 0 {
            line += &free.to_string();
        }
        lines.push(line);
    }
    lines.join("/")
}

/// Counts one application of a rule.
pub(crate) fn count(tally: &mut Tally, rule: &'static str) {
    *tally.entry(rule).or_default() += 1;
}
