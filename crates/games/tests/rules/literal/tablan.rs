//! The second implementation of Tablan, from the leaflet, plain and ordered.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use super::{Board, Name, Preference, ReferenceGame, ReferenceMove, Tally, count, drawing, word};

/// A game of Tablan.
#[derive(Clone, Debug)]
pub(crate) struct Tablan {
    ordered: bool,
    board: Board,
    side: char,
    /// The plain sides of the throw to be used.
    throw: Option<char>,
    throwing_off: bool,
    over: Option<String>,
}

/// The move of one piece.
type PieceMove = (Name, Name);

fn other(side: char) -> char {
    if side == 's' { 'n' } else { 's' }
}

fn piece(side: char) -> char {
    side.to_ascii_uppercase()
}

/// The score of a throw (rule 8).
fn score(plain: char) -> usize {
    match plain {
        '0' => 12,
        '1' => 2,
        '4' => 8,
        _ => 0,
    }
}

/// The squares in the order in which a side's pieces travel them (rules 5 and 6).
fn course(side: char) -> &'static [Name] {
    static SOUTH: LazyLock<Vec<Name>> = LazyLock::new(|| travelled(["1", "2<", "3", "4<"]));
    static NORTH: LazyLock<Vec<Name>> = LazyLock::new(|| travelled(["4<", "3", "2<", "1"]));
    if side == 's' { &SOUTH } else { &NORTH }
}

/// The squares of rows, each from `a` to `l` or, with `<`, from `l` to `a`.
fn travelled(rows: [&str; 4]) -> Vec<Name> {
    let mut squares = Vec::new();
    for row in rows {
        let mut columns: Vec<char> = ('a'..='l').collect();
        if row.ends_with('<') {
            columns.reverse();
        }
        squares.extend(columns.into_iter().map(|column| [column, row.chars().next().unwrap()]));
    }
    squares
}

/// The row where a side's pieces start.
fn start_row(side: char) -> char {
    if side == 's' { '1' } else { '4' }
}

/// The index of a square on a side's course.
fn along(side: char, at: Name) -> usize {
    course(side).iter().position(|square| *square == at).unwrap()
}

impl Tablan {
    /// The start position with `first` throwing off first.
    pub(crate) fn start(ordered: bool, first: char) -> Self {
        let mut board = Board::new();
        for column in 'a'..='l' {
            board.insert([column, '1'], 'S');
            board.insert([column, '4'], 'N');
        }
        Self { ordered, board, side: first, throw: None, throwing_off: true, over: None }
    }

    /// A made-up start with `side` to throw.
    pub(crate) fn from(ordered: bool, board: Board, side: char) -> Self {
        let (throw, throwing_off) = (None, false);
        let mut game = Self { ordered, board, side, throw, throwing_off, over: None };
        game.over = game.end(&mut Tally::new());
        game
    }

    /// The squares of a side's course, for making up a start.
    pub(crate) fn course(side: char) -> &'static [Name] {
        course(side)
    }

    fn pieces(&self, side: char) -> Vec<Name> {
        let own = |(_, stands): &(&Name, &char)| **stands == piece(side);
        self.board.iter().filter(own).map(|(at, _)| *at).collect()
    }

    fn has_arrived(side: char, at: Name) -> bool {
        at[1] == start_row(other(side))
    }

    /// The square where a piece lands, if it may land there.
    fn landing(&self, side: char, from: Name, by: usize) -> Result<Name, &'static str> {
        // Rule 11: a piece on the goal row has ended its journey.
        if Self::has_arrived(side, from) {
            return Err("a piece that has arrived stays");
        }
        // The longest score leads from the square before the goal row to its end.
        let to = course(side)[along(side, from) + by];
        match self.board.get(&to) {
            // Rule 12.
            Some(stands) if *stands == piece(side) => return Err("nobody lands on his own"),
            // Rule 16.
            Some(_) if to[1] == start_row(side) => return Err("an arrived enemy is safe"),
            _ => {}
        }
        // Rules 20 and 21: the furthest square first.
        if self.ordered && Self::has_arrived(side, to) {
            let own = |at: &Name| self.board.get(at) == Some(&piece(side));
            let furthest = course(side).iter().rev().find(|at| !own(at));
            if furthest != Some(&to) {
                return Err("the last row is entered in order");
            }
        }
        Ok(to)
    }

    fn after(&self, side: char, (from, to): PieceMove) -> Self {
        let mut after = self.clone();
        after.board.remove(&from);
        after.board.insert(to, piece(side));
        after
    }

    /// Every use of a score: its text, and the piece moves in an order in which they
    /// can be played.
    fn ways(&self, side: char, score: usize) -> BTreeMap<String, Vec<PieceMove>> {
        let mut ways = BTreeMap::new();
        let pieces = self.pieces(side);
        for from in &pieces {
            if let Ok(to) = self.landing(side, *from, score) {
                ways.insert(self.say(&[(*from, to)]), vec![(*from, to)]);
            }
        }
        for first in &pieces {
            let Ok(first_to) = self.landing(side, *first, score / 2) else { continue };
            let between = self.after(side, (*first, first_to));
            for second in pieces.iter().filter(|second| *second != first) {
                let Ok(second_to) = between.landing(side, *second, score / 2) else { continue };
                let halves = vec![(*first, first_to), (*second, second_to)];
                // The piece further along is written first.
                let mut said = halves.clone();
                said.sort_by_key(|(from, _)| std::cmp::Reverse(along(side, *from)));
                ways.insert(self.say(&said), halves);
            }
        }
        ways
    }

    fn say(&self, halves: &[PieceMove]) -> String {
        let half = |(from, to): &PieceMove| {
            let enemy = self.board.get(to).is_some_and(|there| *there != self.board[from]);
            format!("{}{}{}", word(*from), if enemy { 'x' } else { '-' }, word(*to))
        };
        halves.iter().map(half).collect::<Vec<_>>().join("+")
    }

    fn can_ever(&self, side: char) -> bool {
        [2, 8, 12].into_iter().any(|score| !self.ways(side, score).is_empty())
    }

    /// The end by rules 17 to 19, and by our own rule for a deadlock, which they do not
    /// cover.
    fn end(&self, tally: &mut Tally) -> Option<String> {
        // The leaflet's ends come before ours.
        let home = |side: char| {
            let pieces = self.pieces(side);
            !pieces.is_empty() && pieces.iter().all(|at| Self::has_arrived(side, *at))
        };
        let reason = if home('s') || home('n') {
            "all-home"
        } else if let Some(gone) = ['s', 'n'].into_iter().find(|kind| self.pieces(*kind).is_empty())
        {
            count(tally, "ended: no piece left");
            return Some(format!("{} no-pieces", other(gone)));
        } else if !self.can_ever('s') && !self.can_ever('n') {
            "deadlock"
        } else {
            return None;
        };
        let points = |side: char| {
            self.pieces(side).iter().filter(|at| Self::has_arrived(side, **at)).count()
        };
        let winner = match points('s').cmp(&points('n')) {
            std::cmp::Ordering::Greater => 's',
            std::cmp::Ordering::Less => 'n',
            std::cmp::Ordering::Equal => '-',
        };
        count(tally, if reason == "all-home" { "ended: all home" } else { "ended: deadlock" });
        if winner == '-' {
            count(tally, "a draw");
        } else if reason == "all-home" && !home(winner) {
            count(tally, "the one who finishes first loses");
        }
        if reason == "all-home" && !home(self.side) {
            count(tally, "the last runner is captured");
        }
        Some(format!("{winner} {reason}"))
    }

    fn throw(&mut self, plain: char, tally: &mut Tally) -> Vec<String> {
        let side = self.side;
        let mut did = vec![format!("thrown {side} t{plain}")];
        if self.throwing_off {
            // Rules 3 and 7.
            if plain == '1' {
                self.throwing_off = false;
                self.throw = Some(plain);
                did.push(format!("starts {side}"));
                count(tally, if side == 's' { "south starts" } else { "north starts" });
            } else {
                self.side = other(side);
                count(tally, "the throwing off goes on");
            }
        } else if score(plain) == 0 {
            self.side = other(side);
            did.push(format!("passed {side}"));
            count(tally, "a null score");
        } else if self.ways(side, score(plain)).is_empty() {
            // Rule 13.
            did.push(format!("lost {side}"));
            count(tally, "a throw is lost");
            let half = score(plain) / 2;
            if self.pieces(side).iter().any(|from| self.landing(side, *from, half).is_ok()) {
                count(tally, "a half alone is no way");
            }
        } else {
            self.throw = Some(plain);
        }
        did.sort();
        did
    }

    fn tally_refusals(&self, score: usize, tally: &mut Tally) {
        for from in self.pieces(self.side) {
            for by in [score, score / 2] {
                if let Err(rule) = self.landing(self.side, from, by) {
                    count(tally, rule);
                }
            }
        }
    }
}

impl ReferenceGame for Tablan {
    fn text(&self) -> String {
        let board = drawing(&self.board, 'l', '4', &BTreeSet::new());
        let doubt = if self.throwing_off { "?" } else { "" };
        let throw = self.throw.map_or("-".to_owned(), |plain| format!("t{plain}"));
        format!("{board} {doubt}{} {throw}", self.side)
    }

    fn due(&self) -> String {
        match (&self.over, self.throw) {
            (Some(end), _) => format!("over {end}"),
            (None, Some(_)) => format!("move {}", self.side),
            (None, None) => format!("throw {}", self.side),
        }
    }

    fn moves(&self, preference: Preference) -> BTreeMap<String, ReferenceMove> {
        let (None, Some(plain)) = (&self.over, self.throw) else { return BTreeMap::new() };
        let said = |(text, halves): (String, Vec<PieceMove>)| {
            let appeal = match preference {
                Preference::Nothing => 0,
                Preference::Captures => text.matches('x').count() as i32,
                Preference::Ahead => {
                    let far = halves.iter().map(|(from, _)| along(self.side, *from)).max();
                    far.unwrap_or_default() as i32
                }
                Preference::Again => halves.len() as i32,
            };
            (text, ReferenceMove { with: BTreeSet::new(), appeal })
        };
        self.ways(self.side, score(plain)).into_iter().map(said).collect()
    }

    fn play(&mut self, ply: &str, tally: &mut Tally) -> Vec<String> {
        if let Some(plain) = ply.strip_prefix('t') {
            return self.throw(plain.chars().next().unwrap(), tally);
        }
        let side = self.side;
        let score = score(self.throw.take().unwrap());
        self.tally_refusals(score, tally);
        let halves = self.ways(side, score).remove(ply).unwrap();
        if let [first, second] = halves[..] {
            count(tally, "a pair");
            let reversed = self.landing(side, second.0, score / 2).is_err();
            if reversed && second.1 == first.0 {
                count(tally, "one lands where the other left");
            } else if reversed {
                count(tally, "one enters the last row after the other");
            }
            if halves.iter().all(|(_, to)| Self::has_arrived(side, *to)) {
                count(tally, "a pair arrives");
            }
        } else {
            count(tally, "one piece goes the whole way");
        }
        let mut did = Vec::new();
        for (from, to) in halves {
            if self.board.get(&to) == Some(&piece(other(side))) {
                did.push(format!("captured {} {}", word(to), other(side)));
                count(tally, "a capture");
                if to[1] == start_row(other(side)) {
                    count(tally, "a capture on the last row");
                }
            }
            if Self::has_arrived(side, to) {
                count(tally, "a piece arrives");
            }
            did.push(format!("slid {} {}", word(from), word(to)));
            *self = self.after(side, (from, to));
        }
        if did.iter().filter(|event| event.starts_with("captured")).count() == 2 {
            count(tally, "a pair captures two");
        }
        self.over = self.end(tally);
        did.extend(self.over.as_ref().map(|end| format!("ended {end}")));
        did.sort();
        did
    }
}

/// The rules that games should apply.
pub(crate) fn rules(ordered: bool) -> Vec<&'static str> {
    let mut all = vec![
        "south starts",
        "north starts",
        "the throwing off goes on",
        "a null score",
        "a throw is lost",
        "a half alone is no way",
        "one piece goes the whole way",
        "a pair",
        "a pair arrives",
        "a pair captures two",
        "one lands where the other left",
        "a capture",
        "a capture on the last row",
        "a piece arrives",
        "a piece that has arrived stays",
        "nobody lands on his own",
        "an arrived enemy is safe",
        "ended: all home",
        "ended: no piece left",
        "ended: deadlock",
        "a draw",
        "the one who finishes first loses",
        "the last runner is captured",
    ];
    if ordered {
        all.extend(["the last row is entered in order", "one enters the last row after the other"]);
    }
    all
}
