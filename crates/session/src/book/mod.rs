//! Opening books, and the games that reached a position.
//!
//! A [`Book`] counts the games that reached each position, who won them, and keeps the
//! engine's value. Positions that symmetry makes equal are one. A book is looked up by
//! playing each legal move and looking for the position behind it, so transpositions
//! count, whatever the order of their moves was. The package `tabulae-lab`
//! makes books from games of self-play or given ones. A [`GameIndex`] does the same for the user's own
//! games, and names them.

mod file;
mod index;

use std::{collections::HashSet, sync::OnceLock};

use crate::{shipped::shipped, symmetry::position_key};
use tabulae_engines::Score;
use tabulae_games::{AnyMove, AnyPosition, Game as _, RuleSet, Side, Turn};

pub use file::BookError;
pub use index::{DamagedFile, GameHit, GameIndex};

/// The games that reached a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookCounts {
    /// The number of games, drawn and unfinished ones included.
    pub games: u32,
    /// The games that each side won, by [`Side::index`].
    pub wins: [u32; 2],
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: AnyMove,
    /// The games that reached the position after it, by any order of moves.
    pub counts: BookCounts,
    /// The engine's value of the position after it, for the side that plays it.
    pub value: Option<Score>,
}

/// The entry of a position: its wins and value are those of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The position's key ([`position_key`]).
    pub key: u64,
    /// The games that reached it.
    pub games: u32,
    /// Those that the side to move won, then those that its opponent won.
    pub wins: [u32; 2],
    /// The engine's value of the position.
    pub value: Option<Score>,
}

impl BookEntry {
    /// The counts by side in a position with this side to move.
    const fn counts(&self, to_move: Side) -> BookCounts {
        let [own, other] = self.wins;
        let wins = match to_move {
            Side::First => [own, other],
            Side::Second => [other, own],
        };
        BookCounts { games: self.games, wins }
    }
}

/// An opening book of one rule set.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::{Book, BookCounts, BookError, BookMove};
///
/// let start = AnyPosition::start(RuleSet::TablutAshton);
/// let book: &Book = Book::builtin(RuleSet::TablutAshton);
/// let moves: Vec<BookMove> = book.lookup(&start);
/// let BookCounts { games, wins: [white, black] } = moves[0].counts;
/// assert!(games >= white + black && moves[0].value.is_some());
/// assert!(moves.is_sorted_by(|one, two| one.counts.games >= two.counts.games));
///
/// let error: BookError = Book::read(b"chess").unwrap_err();
/// assert!(error.to_string().contains("not a book"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    rules: RuleSet,
    /// How it was made, in a line.
    origin: String,
    /// Ordered by key.
    entries: Vec<BookEntry>,
}

impl Book {
    /// A book of these entries. `origin` tells how it was made, in a line.
    ///
    /// ```
    /// use tabulae_games::{AnyPosition, RuleSet};
    /// use tabulae_session::{Book, BookEntry, position_key};
    ///
    /// let start = AnyPosition::start(RuleSet::Tablaaza);
    /// let key = position_key(&start);
    /// let entry = BookEntry { key, games: 3, wins: [2, 0], value: None };
    /// let book = Book::new(RuleSet::Tablaaza, "by hand", vec![entry]);
    /// assert_eq!(book.counts(&start).unwrap().games, 3);
    /// assert_eq!(Book::read(&book.write()), Ok(book));
    /// ```
    pub fn new(rules: RuleSet, origin: &str, mut entries: Vec<BookEntry>) -> Self {
        entries.sort_unstable_by_key(|entry| entry.key);
        entries.dedup_by_key(|entry| entry.key);
        Self { rules, origin: origin.replace(char::is_control, " "), entries }
    }

    /// The book that comes with the program.
    pub fn builtin(rules: RuleSet) -> &'static Self {
        static BOOKS: [OnceLock<Book>; RuleSet::ALL.len()] =
            [const { OnceLock::new() }; RuleSet::ALL.len()];
        BOOKS[rules.index()].get_or_init(|| {
            // A test reads all of them.
            let empty = || Self { rules, origin: String::new(), entries: Vec::new() };
            Self::read(shipped(rules).book).unwrap_or_else(|_| empty())
        })
    }

    /// The rules.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// How it was made, in a line: `seed 26, 1000 games, ...`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The number of positions, each for all that symmetry makes equal.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no position.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The games that reached a position itself.
    pub fn counts(&self, position: &AnyPosition) -> Option<BookCounts> {
        self.entry(position).map(|entry| entry.counts(position.side()))
    }

    /// The legal moves of a position that lead to positions of the book, the one with
    /// the most games first; empty if a throw is due or the book is of other rules. Of
    /// several moves that symmetry makes equal, only the first in order is listed;
    /// [`Self::counts`] of the position after a move has the counts of each.
    pub fn lookup(&self, position: &AnyPosition) -> Vec<BookMove> {
        lookup(position, |after| {
            let entry = self.entry(after)?;
            Some((entry.counts(after.side()), entry.value))
        })
    }

    fn entry(&self, position: &AnyPosition) -> Option<&BookEntry> {
        if position.rules() != self.rules {
            return None;
        }
        let key = position_key(position);
        let at = self.entries.binary_search_by_key(&key, |entry| entry.key).ok()?;
        self.entries.get(at)
    }
}

/// The moves of a position that lead to positions which `find` knows. It tells the value
/// for the side to move there.
fn lookup(
    position: &AnyPosition,
    find: impl Fn(&AnyPosition) -> Option<(BookCounts, Option<Score>)>,
) -> Vec<BookMove> {
    let (mut moves, mut seen) = (Vec::new(), HashSet::new());
    if matches!(position.turn(), Turn::Move(_)) {
        let mut legal = position.legal_moves();
        legal.sort_unstable();
        for mv in legal {
            let mut after = position.clone();
            if after.play(mv).is_ok()
                && seen.insert(position_key(&after))
                && let Some((counts, value)) = find(&after)
            {
                let is_same_side = after.side() == position.side();
                let value =
                    value.map(|value| if is_same_side { value } else { value.before_move() });
                moves.push(BookMove { mv, counts, value });
            }
        }
    }
    moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.counts.games));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All books together, in bytes.
    const MAX_BYTES: usize = 2_000_000;

    #[test]
    fn the_shipped_books_can_be_read_and_are_small() {
        let mut bytes = 0;
        for rules in RuleSet::ALL {
            let book = Book::builtin(rules);
            assert_eq!(book.rules(), rules);
            assert!(book.len() > 50 && !book.origin().is_empty(), "{rules}: {}", book.len());
            let start = book.counts(&AnyPosition::start(rules)).expect("the start");
            assert!(start.games >= 100, "{rules}: {start:?}");
            bytes += book.write().len();
        }
        assert!(bytes <= MAX_BYTES, "{bytes}");
    }

    #[test]
    fn a_shipped_book_follows_each_rotation_of_a_game() {
        let book = Book::builtin(RuleSet::TablutAshton);
        let start = AnyPosition::start(RuleSet::TablutAshton);
        let moves = book.lookup(&start);
        let keys: HashSet<_> = moves
            .iter()
            .map(|mv| {
                let mut after = start.clone();
                after.play(mv.mv).expect("legal");
                position_key(&after)
            })
            .collect();
        assert_eq!(keys.len(), moves.len(), "no two moves that symmetry makes equal");
        assert!(moves.len() >= 4, "self-play began in more than one way: {moves:?}");
        let counts = |text: &str| {
            let mut after = start.clone();
            let mv = after.parse_move(text).expect("a move");
            after.play(mv).expect("legal");
            book.counts(&after)
        };
        let all = ["c5-c2", "c5-c8", "e3-b3", "e3-h3", "e7-b7", "g5-g8"].map(counts);
        assert!(all[0].is_some() && all.iter().all(|count| *count == all[0]), "{all:?}");
    }

    #[test]
    fn a_value_is_that_of_the_side_which_plays_the_move() {
        let start = AnyPosition::start(RuleSet::Tablaaza);
        let find = |_: &AnyPosition| Some((BookCounts::default(), Some(Score::Points(7))));
        assert_eq!(lookup(&start, find)[0].value, Some(Score::Points(-7)));
        // In Tablan the player of a move throws again.
        let text = "12/10NS/12/NNN9 s t1";
        let tablan = AnyPosition::parse(RuleSet::Tablan, text).expect("a position");
        assert_eq!(lookup(&tablan, find)[0].value, Some(Score::Points(7)));
    }
}
