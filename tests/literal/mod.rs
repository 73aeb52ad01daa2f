//! The rules a second time, slow and literal: maps of square names, one
//! sentence of the rules after another, sharing nothing with the fast ones.
//!
//! What is said here goes by texts alone, as another program would hear it:
//! positions, moves, and what a ply did. [`Tally`] counts how often each rule
//! was met, so that a comparison can show that the rare ones were.

pub(crate) mod tablaaza;
pub(crate) mod tablan;
pub(crate) mod tablut;

use std::collections::{BTreeMap, BTreeSet};

/// A square by its name, `['e', '4']`.
pub(crate) type Name = [char; 2];

/// What stands where.
pub(crate) type Board = BTreeMap<Name, char>;

/// How often each rule was met.
pub(crate) type Tally = BTreeMap<&'static str, u64>;

/// Up, down, right, left.
pub(crate) const WAYS: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

/// What a chosen ply is to bring about, for games that meet the rare rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Nothing: any ply.
    Nothing,
    /// Captures, or pavilions.
    Captures,
    /// The king among his enemies; in Tablan the runners in front.
    Ahead,
    /// Back where one came from; in Tablan two pieces at once.
    Again,
}

/// A move as one would say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// What it takes off or raises.
    pub(crate) with: BTreeSet<String>,
    /// How well it grants the wish that was asked about.
    pub(crate) appeal: i32,
}

/// A game so far, by the letter of its rules.
pub(crate) trait Literal {
    /// The position's text.
    fn text(&self) -> String;

    /// `move w`, `throw s` or `over w escape` (`over - repetition` if drawn).
    fn due(&self) -> String;

    /// All legal moves by their texts; none when a throw is due.
    fn moves(&self, wish: Wish) -> BTreeMap<String, Said>;

    /// Plays one of them, or `t0` to `t4`; what it did, sorted.
    fn play(&mut self, ply: &str, tally: &mut Tally) -> Vec<String>;
}

/// The square called so.
pub(crate) fn name(text: &str) -> Name {
    let mut symbols = text.chars();
    [symbols.next().unwrap(), symbols.next().unwrap()]
}

/// Its name as text.
pub(crate) fn word(name: Name) -> String {
    name.iter().collect()
}

/// The square so many columns and rows away on a board of columns `a` to
/// `last` and rows 1 to `rows`.
pub(crate) fn step(from: Name, (x, y): (i32, i32), last: char, rows: char) -> Option<Name> {
    let shift = |symbol: char, by: i32| char::from_u32((symbol as u32).checked_add_signed(by)?);
    let to = [shift(from[0], x)?, shift(from[1], y)?];
    (('a'..=last).contains(&to[0]) && ('1'..=rows).contains(&to[1])).then_some(to)
}

/// The rows from the last to the first, numbers for runs of free squares;
/// `~` for squares that are none.
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

/// One more time this rule was met.
pub(crate) fn met(tally: &mut Tally, rule: &'static str) {
    *tally.entry(rule).or_default() += 1;
}
