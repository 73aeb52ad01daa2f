//! The second implementation of Tablut, by its four rule sets; [`captures`] has the
//! captures.

mod captures;

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Board, DIRECTIONS, Name, Preference, ReferenceGame, ReferenceMove, Tally, count, drawing, name,
    step, word,
};

pub(crate) use captures::rules;

/// The rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Laws {
    Berkeley,
    Ashton,
    Linnaeus,
    Saami,
}

const BESIDE_CASTLE: [&str; 4] = ["d5", "f5", "e4", "e6"];
const WHITE: [&str; 8] = ["e3", "e4", "e6", "e7", "c5", "d5", "f5", "g5"];
const CAMPS: [[&str; 4]; 4] = [
    ["a4", "a5", "a6", "b5"],
    ["d1", "e1", "f1", "e2"],
    ["i4", "i5", "i6", "h5"],
    ["d9", "e9", "f9", "e8"],
];
const CAMP_CENTRES: [&str; 4] = ["a5", "e1", "i5", "e9"];
const CORNERS: [&str; 4] = ["a1", "a9", "i1", "i9"];

/// A game of Tablut.
#[derive(Clone, Debug)]
pub(crate) struct Tablut {
    laws: Laws,
    board: Board,
    side: char,
    over: Option<String>,
    /// How often each position has occurred, as far as repetition counts it.
    stood: BTreeMap<String, u32>,
    /// The last move of each side, to prefer moving back.
    last: BTreeMap<char, (Name, Name)>,
}

fn is(at: Name, names: &[&str]) -> bool {
    names.iter().any(|text| name(text) == at)
}

fn next(at: Name, way: (i32, i32)) -> Option<Name> {
    step(at, way, 'i', '9')
}

fn on_edge(at: Name) -> bool {
    matches!(at[0], 'a' | 'i') || matches!(at[1], '1' | '9')
}

/// The camp of a square.
fn camp(at: Name) -> Option<usize> {
    CAMPS.iter().position(|camp| is(at, camp))
}

fn castle() -> Name {
    name("e5")
}

fn colour(piece: char) -> char {
    if piece == 'B' { 'b' } else { 'w' }
}

fn other(side: char) -> char {
    if side == 'b' { 'w' } else { 'b' }
}

impl Tablut {
    /// The start position.
    pub(crate) fn start(laws: Laws) -> Self {
        let mut board = Board::from([(castle(), 'K')]);
        board.extend(WHITE.iter().map(|text| (name(text), 'W')));
        board.extend(CAMPS.iter().flatten().map(|text| (name(text), 'B')));
        let first = if matches!(laws, Laws::Berkeley | Laws::Saami) { 'b' } else { 'w' };
        Self::from(laws, board, first)
    }

    /// A made-up start, with the king on no goal square.
    pub(crate) fn from(laws: Laws, board: Board, side: char) -> Self {
        let (over, last) = (None, BTreeMap::new());
        let mut game = Self { laws, board, side, over, stood: BTreeMap::new(), last };
        game.stood.insert(game.text(), 1);
        if game.moves(Preference::Nothing).is_empty() {
            game.over = Some(format!("{} no-moves", other(side)));
        }
        game
    }

    /// Whether a made-up start may put a soldier there.
    pub(crate) fn is_plain(laws: Laws, at: Name) -> bool {
        at != castle()
            && match laws {
                Laws::Berkeley | Laws::Saami => true,
                Laws::Ashton => camp(at).is_none(),
                Laws::Linnaeus => !is(at, &CORNERS),
            }
    }

    /// Whether a made-up start may put the king there: no goal square.
    pub(crate) fn is_open_to_king(at: Name) -> bool {
        !on_edge(at)
    }

    /// The squares next to one.
    pub(crate) fn beside(at: Name) -> Vec<Name> {
        DIRECTIONS.into_iter().filter_map(|way| next(at, way)).collect()
    }

    fn at(&self, at: Option<Name>) -> Option<char> {
        at.and_then(|at| self.board.get(&at).copied())
    }

    fn king(&self) -> Name {
        *self.board.iter().find(|(_, piece)| **piece == 'K').unwrap().0
    }

    fn may_cross(&self, piece: char, from: Name, at: Name) -> bool {
        if self.board.contains_key(&at) {
            return false;
        }
        if self.laws != Laws::Ashton {
            return true;
        }
        // No piece enters or crosses the castle again. A camp is open only to the
        // black soldiers that have not left it.
        at != castle() && (camp(at).is_none() || piece == 'B' && camp(from) == camp(at))
    }

    fn may_stop(&self, piece: char, at: Name) -> bool {
        piece == 'K'
            || match self.laws {
                Laws::Berkeley | Laws::Saami => at != castle(),
                Laws::Ashton => true,
                Laws::Linnaeus => at != castle() && !is(at, &CORNERS),
            }
    }

    /// The squares a piece can move to: like a rook, over empty squares.
    fn reach(&self, from: Name) -> Vec<Name> {
        let piece = self.board[&from];
        let mut squares = Vec::new();
        for way in DIRECTIONS {
            let mut at = from;
            while let Some(to) = next(at, way) {
                if !self.may_cross(piece, from, to) {
                    break;
                }
                if self.may_stop(piece, to) {
                    squares.push(to);
                }
                at = to;
            }
        }
        squares
    }

    /// The game with a piece moved, before captures.
    fn moved(&self, from: Name, to: Name) -> Self {
        let mut after = Self {
            laws: self.laws,
            board: self.board.clone(),
            side: self.side,
            over: None,
            stood: BTreeMap::new(),
            last: BTreeMap::new(),
        };
        let piece = after.board.remove(&from).unwrap();
        after.board.insert(to, piece);
        after
    }

    fn appeal(&self, preference: Preference, from: Name, to: Name, taken: usize) -> i32 {
        match preference {
            Preference::Nothing => 0,
            Preference::Captures => taken as i32,
            Preference::Ahead if self.side == 'w' => i32::from(self.board[&from] == 'K'),
            Preference::Ahead => {
                let king = self.king();
                let beside = |at: Name| DIRECTIONS.iter().any(|way| next(at, *way) == Some(king));
                i32::from(beside(to)) - i32::from(beside(from))
            }
            Preference::Again => i32::from(self.last.get(&self.side) == Some(&(to, from))),
        }
    }

    fn tally_way(&self, from: Name, to: Name, tally: &mut Tally) {
        let between = |at: Name| {
            let (low, high) = (from.min(to), from.max(to));
            low < at
                && at < high
                && (at[0] == from[0] && at[0] == to[0] || at[1] == from[1] && at[1] == to[1])
        };
        if between(castle()) {
            count(tally, "a piece passes over the empty castle");
        }
        if to == castle() {
            count(tally, "the king returns");
        }
        if let (Laws::Ashton, Some(home)) = (self.laws, camp(from)) {
            if camp(to) == Some(home) {
                count(tally, "a soldier moves within its camp");
            } else if CAMPS[home].iter().any(|text| between(name(text))) {
                count(tally, "a soldier leaves across its camp");
            }
        }
    }
}

impl ReferenceGame for Tablut {
    fn text(&self) -> String {
        format!("{} {}", drawing(&self.board, 'i', '9', &BTreeSet::new()), self.side)
    }

    fn due(&self) -> String {
        self.over
            .as_ref()
            .map_or_else(|| format!("move {}", self.side), |end| format!("over {end}"))
    }

    fn moves(&self, preference: Preference) -> BTreeMap<String, ReferenceMove> {
        let mut moves = BTreeMap::new();
        if self.over.is_some() {
            return moves;
        }
        for (from, piece) in &self.board {
            if colour(*piece) != self.side {
                continue;
            }
            for to in self.reach(*from) {
                let after = self.moved(*from, to);
                let mut taken = after.taken(to, &mut Tally::new());
                taken.extend(after.king_taken(to, &mut Tally::new()).then(|| after.king()));
                let appeal = self.appeal(preference, *from, to, taken.len());
                let with = taken.into_iter().map(word).collect();
                moves.insert(
                    format!("{}-{}", word(*from), word(to)),
                    ReferenceMove { with, appeal },
                );
            }
        }
        moves
    }

    fn play(&mut self, ply: &str, tally: &mut Tally) -> Vec<String> {
        let (from, to) = (name(&ply[..2]), name(&ply[3..]));
        let (mover, piece) = (self.side, self.board[&from]);
        self.tally_way(from, to, tally);
        let after = self.moved(from, to);
        let taken = after.taken(to, tally);
        let king_taken = after.king_taken(to, tally);
        self.board = after.board;
        let mut did = vec![format!("slid {} {}", word(from), word(to))];
        for at in &taken {
            self.board.remove(at);
            did.push(format!("captured {} {}", word(*at), other(mover)));
        }
        match taken.len() {
            0 => {}
            1 => count(tally, "one soldier is taken"),
            2 => count(tally, "two soldiers are taken"),
            _ => count(tally, "three soldiers are taken"),
        }
        if king_taken {
            let king = self.king();
            // As in the test vectors, Berkeley's removes a captured king.
            if matches!(self.laws, Laws::Berkeley | Laws::Saami) {
                self.board.remove(&king);
            }
            did.push(format!("captured {} w", word(king)));
        }
        self.last.insert(mover, (from, to));
        self.side = other(mover);
        let home = piece == 'K'
            && if self.laws == Laws::Linnaeus { is(to, &CORNERS) } else { on_edge(to) };
        if self.laws == Laws::Linnaeus && mover == 'w' && !home {
            let open = self.reach(self.king()).into_iter().filter(|at| is(*at, &CORNERS)).count();
            match open {
                0 => {}
                1 => did.push("raichi".to_owned()),
                _ => did.push("tuichi".to_owned()),
            }
            if open > 0 {
                count(tally, if open == 1 { "raichi" } else { "tuichi" });
            }
        }
        self.over = self.end(mover, home, king_taken, !taken.is_empty());
        if let Some(end) = &self.over {
            did.push(format!("ended {end}"));
            count(tally, reason(end));
        }
        did.sort();
        did
    }
}

impl Tablut {
    /// The end by the king precedes the one by no moves, and that one repetition.
    fn end(&mut self, mover: char, home: bool, king_taken: bool, taken: bool) -> Option<String> {
        if home {
            return Some("w escape".to_owned());
        }
        if king_taken {
            return Some("b king-captured".to_owned());
        }
        if self.moves(Preference::Nothing).is_empty() {
            return Some(format!("{mover} no-moves"));
        }
        if self.laws == Laws::Ashton && taken {
            self.stood.clear();
        }
        let times = self.stood.entry(self.text()).or_default();
        *times += 1;
        match (self.laws, *times) {
            (Laws::Berkeley, 2) => Some(format!("{} repetition", other(mover))),
            (Laws::Ashton, 2) | (Laws::Linnaeus | Laws::Saami, 3) => {
                Some("- repetition".to_owned())
            }
            _ => None,
        }
    }
}

fn reason(end: &str) -> &'static str {
    match end {
        "w escape" => "ended: escape",
        "b king-captured" => "ended: king captured",
        "w no-moves" => "ended: black has no move",
        "b no-moves" => "ended: white has no move",
        _ => "ended: repetition",
    }
}
