//! Tablut by the letter, all three rule sets.

use std::collections::{BTreeMap, BTreeSet};

use super::{Board, Literal, Name, Said, Tally, WAYS, Wish, drawing, met, name, step, word};

/// Which of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Laws {
    Berkeley,
    Ashton,
    Linnaeus,
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
    /// Every position that counts for repetition, as often as it stood.
    stood: BTreeMap<String, u32>,
    /// The move each side made last, for going back.
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

/// Which camp a square belongs to.
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
    /// The usual start.
    pub(crate) fn start(laws: Laws) -> Self {
        let mut board = Board::from([(castle(), 'K')]);
        board.extend(WHITE.iter().map(|text| (name(text), 'W')));
        board.extend(CAMPS.iter().flatten().map(|text| (name(text), 'B')));
        Self::from(laws, board, if laws == Laws::Berkeley { 'b' } else { 'w' })
    }

    /// Any other one, the king not home.
    pub(crate) fn from(laws: Laws, board: Board, side: char) -> Self {
        let (over, last) = (None, BTreeMap::new());
        let mut game = Self { laws, board, side, over, stood: BTreeMap::new(), last };
        game.stood.insert(game.text(), 1);
        if game.moves(Wish::Nothing).is_empty() {
            game.over = Some(format!("{} no-moves", other(side)));
        }
        game
    }

    /// Whether a soldier's way may be begun there: squares nobody is put on
    /// when a start is made up.
    pub(crate) fn is_plain(laws: Laws, at: Name) -> bool {
        at != castle()
            && match laws {
                Laws::Berkeley => true,
                Laws::Ashton => camp(at).is_none(),
                Laws::Linnaeus => !is(at, &CORNERS),
            }
    }

    /// Whether the king may be put there without being home at once.
    pub(crate) fn is_open_to_king(at: Name) -> bool {
        !on_edge(at)
    }

    /// The squares next to one.
    pub(crate) fn beside(at: Name) -> Vec<Name> {
        WAYS.into_iter().filter_map(|way| next(at, way)).collect()
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
        // Nobody enters or crosses the castle again. A camp is open only to
        // the black soldiers that are still in it.
        at != castle() && (camp(at).is_none() || piece == 'B' && camp(from) == camp(at))
    }

    fn may_stop(&self, piece: char, at: Name) -> bool {
        piece == 'K'
            || match self.laws {
                Laws::Berkeley => at != castle(),
                Laws::Ashton => true,
                Laws::Linnaeus => at != castle() && !is(at, &CORNERS),
            }
    }

    /// Where a piece can go: like a rook, over empty squares.
    fn reach(&self, from: Name) -> Vec<Name> {
        let piece = self.board[&from];
        let mut squares = Vec::new();
        for way in WAYS {
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

    /// Whether a soldier at `victim` is held from `beyond`, when an enemy has
    /// just come to its other side.
    fn holds(&self, victim: Name, beyond: Option<Name>, tally: &mut Tally) -> bool {
        let Some(square) = beyond else { return false };
        let mover = other(colour(self.board[&victim]));
        let stands = self.board.get(&square).copied();
        let enemy = stands.is_some_and(|piece| colour(piece) == mover);
        match self.laws {
            Laws::Berkeley => {
                if enemy {
                    if stands == Some('K') {
                        met(tally, "a soldier is taken against the king");
                    }
                    return true;
                }
                if square != castle() {
                    return false;
                }
                if stands.is_none() {
                    met(
                        tally,
                        if mover == 'b' {
                            "the empty throne takes a white soldier"
                        } else {
                            "the empty throne takes a black soldier"
                        },
                    );
                    return true;
                }
                // The king's own throne turns on a white soldier when the
                // other three squares round it are all black.
                let others = BESIDE_CASTLE.iter().map(|text| name(text)).filter(|at| *at != victim);
                let turned =
                    mover == 'b' && others.into_iter().all(|at| self.board.get(&at) == Some(&'B'));
                if turned {
                    met(tally, "the king's throne takes a white soldier");
                }
                turned
            }
            Laws::Ashton => {
                let centre = is(square, &CAMP_CENTRES);
                if enemy {
                    if stands == Some('K') && square != castle() {
                        met(tally, "a soldier is taken against the king");
                    }
                    true
                } else if square == castle() {
                    met(
                        tally,
                        if stands.is_some() {
                            "a soldier is taken against the king's castle"
                        } else {
                            "a soldier is taken against the empty castle"
                        },
                    );
                    true
                } else if camp(square).is_some() {
                    if mover == 'w' && centre {
                        met(tally, "a camp's centre backs its own");
                        return false;
                    }
                    met(
                        tally,
                        if stands.is_some() {
                            "a soldier is taken against a manned camp"
                        } else {
                            "a soldier is taken against an empty camp"
                        },
                    );
                    true
                } else {
                    false
                }
            }
            Laws::Linnaeus => {
                if is(square, &CORNERS) {
                    met(tally, "a soldier is taken against a corner");
                    return true;
                }
                if stands == Some('K') && enemy {
                    met(tally, "the king is no anvil");
                }
                if square == castle() && stands.is_none() {
                    met(tally, "the konakis takes nobody");
                }
                enemy && stands != Some('K')
            }
        }
    }

    /// The soldiers a piece that has come to `to` takes.
    fn taken(&self, to: Name, tally: &mut Tally) -> BTreeSet<Name> {
        let piece = self.board[&to];
        let mut taken = BTreeSet::new();
        for way in WAYS {
            let Some(victim) = next(to, way) else { continue };
            let Some(stands) = self.board.get(&victim) else { continue };
            if *stands == 'K' || colour(*stands) == colour(piece) {
                continue;
            }
            if self.laws == Laws::Linnaeus && piece == 'K' {
                if self.holds(victim, next(victim, way), &mut Tally::new()) {
                    met(tally, "the king is no hammer");
                }
                continue;
            }
            if self.holds(victim, next(victim, way), tally) {
                if piece == 'K' {
                    met(tally, "the king takes a soldier");
                }
                taken.insert(victim);
            }
        }
        taken
    }

    /// Whether the king is taken by the piece that has come to `to`.
    fn king_taken(&self, to: Name, tally: &mut Tally) -> bool {
        if self.board[&to] != 'B' {
            return false;
        }
        let king = self.king();
        let Some(way) = WAYS.into_iter().find(|way| next(to, *way) == Some(king)) else {
            return false;
        };
        let round = WAYS.map(|way| next(king, way));
        let black = round.iter().filter(|at| self.at(**at) == Some('B')).count();
        let off = round.iter().filter(|at| at.is_none()).count();
        let has = |names: &[&str]| round.iter().flatten().any(|at| is(*at, names));
        if self.laws == Laws::Linnaeus {
            let pattern = match (black, off) {
                (4, 0) => Some("the king is taken by four"),
                (3, 0) if has(&["e5"]) => Some("the king is taken against the konakis"),
                (3, 1) => Some("the king is taken against the edge"),
                (2, 1) if has(&CORNERS) => Some("the king is taken beside a corner"),
                _ => None,
            };
            if let Some(pattern) = pattern {
                met(tally, pattern);
            }
            return pattern.is_some();
        }
        let beyond = next(king, way);
        let (taken, pattern) = if king == castle() {
            (black == 4, "the king is taken on his castle")
        } else if is(king, &BESIDE_CASTLE) {
            (black == 3, "the king is taken beside his castle")
        } else if self.at(beyond) == Some('B') {
            (true, "the king is taken between two")
        } else {
            let camped = beyond.is_some_and(|at| camp(at).is_some());
            (self.laws == Laws::Ashton && camped, "the king is taken against a camp")
        };
        if taken {
            met(tally, pattern);
        }
        taken
    }

    /// The game with a piece moved and nothing taken yet.
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

    fn appeal(&self, wish: Wish, from: Name, to: Name, taken: usize) -> i32 {
        match wish {
            Wish::Nothing => 0,
            Wish::Captures => taken as i32,
            Wish::Ahead if self.side == 'w' => i32::from(self.board[&from] == 'K'),
            Wish::Ahead => {
                let king = self.king();
                let beside = |at: Name| WAYS.iter().any(|way| next(at, *way) == Some(king));
                i32::from(beside(to)) - i32::from(beside(from))
            }
            Wish::Again => i32::from(self.last.get(&self.side) == Some(&(to, from))),
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
            met(tally, "a piece passes over the empty castle");
        }
        if to == castle() {
            met(tally, "the king returns");
        }
        if let (Laws::Ashton, Some(home)) = (self.laws, camp(from)) {
            if camp(to) == Some(home) {
                met(tally, "a soldier moves within its camp");
            } else if CAMPS[home].iter().any(|text| between(name(text))) {
                met(tally, "a soldier leaves across its camp");
            }
        }
    }
}

impl Literal for Tablut {
    fn text(&self) -> String {
        format!("{} {}", drawing(&self.board, 'i', '9', &BTreeSet::new()), self.side)
    }

    fn due(&self) -> String {
        self.over
            .as_ref()
            .map_or_else(|| format!("move {}", self.side), |end| format!("over {end}"))
    }

    fn moves(&self, wish: Wish) -> BTreeMap<String, Said> {
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
                let appeal = self.appeal(wish, *from, to, taken.len());
                let with = taken.into_iter().map(word).collect();
                moves.insert(format!("{}-{}", word(*from), word(to)), Said { with, appeal });
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
            1 => met(tally, "one soldier is taken"),
            2 => met(tally, "two soldiers are taken"),
            _ => met(tally, "three soldiers are taken"),
        }
        if king_taken {
            let king = self.king();
            // As the vectors draw the last board: only Berkeley's takes him off.
            if self.laws == Laws::Berkeley {
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
                met(tally, if open == 1 { "raichi" } else { "tuichi" });
            }
        }
        self.over = self.end(mover, home, king_taken, !taken.is_empty());
        if let Some(end) = &self.over {
            did.push(format!("ended {end}"));
            met(tally, reason(end));
        }
        did.sort();
        did
    }
}

impl Tablut {
    /// The end by king comes first, then the one by moves, then repetition.
    fn end(&mut self, mover: char, home: bool, king_taken: bool, taken: bool) -> Option<String> {
        if home {
            return Some("w escape".to_owned());
        }
        if king_taken {
            return Some("b king-captured".to_owned());
        }
        if self.moves(Wish::Nothing).is_empty() {
            return Some(format!("{mover} no-moves"));
        }
        if self.laws == Laws::Ashton && taken {
            self.stood.clear();
        }
        let times = self.stood.entry(self.text()).or_default();
        *times += 1;
        match (self.laws, *times) {
            (Laws::Berkeley, 2) => Some(format!("{} repetition", other(mover))),
            (Laws::Ashton, 2) | (Laws::Linnaeus, 3) => Some("- repetition".to_owned()),
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

/// What games by these laws are to meet.
pub(crate) fn rules(laws: Laws) -> Vec<&'static str> {
    let mut all = vec![
        "one soldier is taken",
        "two soldiers are taken",
        "three soldiers are taken",
        "ended: escape",
        "ended: king captured",
        "ended: black has no move",
        "ended: white has no move",
        "ended: repetition",
    ];
    all.extend_from_slice(match laws {
        Laws::Berkeley => &[
            "a piece passes over the empty castle",
            "the king returns",
            "a soldier is taken against the king",
            "the king takes a soldier",
            "the empty throne takes a white soldier",
            "the empty throne takes a black soldier",
            "the king's throne takes a white soldier",
            "the king is taken on his castle",
            "the king is taken beside his castle",
            "the king is taken between two",
        ][..],
        Laws::Ashton => &[
            "a soldier moves within its camp",
            "a soldier leaves across its camp",
            "a soldier is taken against the king",
            "the king takes a soldier",
            "a soldier is taken against the king's castle",
            "a soldier is taken against the empty castle",
            "a soldier is taken against a manned camp",
            "a soldier is taken against an empty camp",
            "a camp's centre backs its own",
            "the king is taken on his castle",
            "the king is taken beside his castle",
            "the king is taken between two",
            "the king is taken against a camp",
        ],
        Laws::Linnaeus => &[
            "a piece passes over the empty castle",
            "the king returns",
            "a soldier is taken against a corner",
            "the king is no anvil",
            "the king is no hammer",
            "the konakis takes nobody",
            "the king is taken by four",
            "the king is taken against the konakis",
            "the king is taken against the edge",
            "the king is taken beside a corner",
            "raichi",
            "tuichi",
        ],
    });
    all
}
