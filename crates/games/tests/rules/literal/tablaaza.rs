//! The second implementation of Tablaaza, from its article and our board.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Board, DIRECTIONS, Name, Preference, ReferenceGame, ReferenceMove, Tally, count, drawing, step,
    word,
};

/// Rows 7 to 1.
const BOARD: [&str; 7] =
    ["RGRGRGRG", "GRGRGRGR", "RG~GR~RG", "GR~RG~GR", "RG~GR~RG", "GRGRGRGR", "RGRGRGRG"];

/// A game of Tablaaza.
#[derive(Clone, Debug)]
pub(crate) struct Tablaaza {
    /// `r` and `g` stones, `p` pavilions.
    board: Board,
    side: char,
    pavilions: u32,
    over: Option<String>,
}

fn other(side: char) -> char {
    if side == 'r' { 'g' } else { 'r' }
}

fn next(at: Name, way: (i32, i32)) -> Option<Name> {
    step(at, way, 'h', '7')
}

/// `r`, `g`, or `~` for a lake.
fn ground(at: Name) -> char {
    let line = BOARD['7' as usize - at[1] as usize];
    line.chars().nth(at[0] as usize - 'a' as usize).unwrap().to_ascii_lowercase()
}

fn squares() -> Vec<Name> {
    ('a'..='h').flat_map(|column| ('1'..='7').map(move |row| [column, row])).collect()
}

/// The run of playing squares through a square in two opposite directions.
fn run(at: Name, ways: [(i32, i32); 2]) -> Vec<Name> {
    let mut run = vec![at];
    for way in ways {
        let mut square = at;
        while let Some(to) = next(square, way).filter(|to| ground(*to) != '~') {
            run.push(to);
            square = to;
        }
    }
    run
}

/// The corridors of a square: runs of two squares or more.
fn corridors(at: Name) -> Vec<Vec<Name>> {
    let runs = [run(at, [DIRECTIONS[0], DIRECTIONS[1]]), run(at, [DIRECTIONS[2], DIRECTIONS[3]])];
    runs.into_iter().filter(|run| run.len() >= 2).collect()
}

/// Whether a knight's move has an L-shaped path that touches no lake.
fn leaps(from: Name, to: Name) -> bool {
    let apart = |index: usize| to[index] as i32 - from[index] as i32;
    let (x, y) = (apart(0), apart(1));
    if x.abs() + y.abs() != 3 || x == 0 || y == 0 {
        return false;
    }
    // One leg, then the other; in either order.
    let path = |first: (i32, i32), second: (i32, i32)| {
        let (mut at, mut dry) = (from, true);
        for leg in [first, second] {
            for _ in 0..(leg.0 + leg.1).abs() {
                at = next(at, (leg.0.signum(), leg.1.signum())).unwrap();
                dry &= ground(at) != '~';
            }
        }
        dry
    };
    path((x, 0), (0, y)) || path((0, y), (x, 0))
}

impl Tablaaza {
    /// The empty board.
    pub(crate) fn start() -> Self {
        Self { board: Board::new(), side: 'r', pavilions: 0, over: None }
    }

    fn is_closed(&self, at: Name) -> bool {
        self.board.contains_key(&at)
    }

    /// Whether the neighbourly rule lets Green's first stone go there.
    fn is_neighbourly(&self, at: Name) -> bool {
        if self.side != 'g' || self.board.len() != 1 {
            return true;
        }
        let red = *self.board.keys().next().unwrap();
        DIRECTIONS.iter().any(|way| next(red, *way) == Some(at)) || leaps(red, at)
    }

    fn free(&self) -> Vec<Name> {
        let may = |at: &Name| {
            ground(*at) == self.side && !self.is_closed(*at) && self.is_neighbourly(*at)
        };
        squares().into_iter().filter(may).collect()
    }

    /// The squares where the mover raises pavilions after playing the stone.
    fn raised(&self) -> BTreeSet<Name> {
        let shut_in = |at: &Name| {
            ground(*at) == other(self.side)
                && !self.is_closed(*at)
                && corridors(*at)
                    .concat()
                    .iter()
                    .all(|square| ground(*square) != self.side || self.is_closed(*square))
        };
        squares().into_iter().filter(shut_in).collect()
    }

    fn with_stone(&self, at: Name) -> Self {
        let mut after = self.clone();
        after.board.insert(at, self.side);
        after
    }
}

impl ReferenceGame for Tablaaza {
    fn text(&self) -> String {
        let lakes = squares().into_iter().filter(|at| ground(*at) == '~').collect();
        format!("{} {}", drawing(&self.board, 'h', '7', &lakes), self.side)
    }

    fn due(&self) -> String {
        self.over
            .as_ref()
            .map_or_else(|| format!("move {}", self.side), |end| format!("over {end}"))
    }

    fn moves(&self, preference: Preference) -> BTreeMap<String, ReferenceMove> {
        let said = |at: Name| {
            let with: BTreeSet<_> = self.with_stone(at).raised().into_iter().map(word).collect();
            let around = corridors(at).concat();
            let appeal = match preference {
                Preference::Nothing => 0,
                Preference::Captures => with.len() as i32,
                Preference::Ahead => {
                    around.iter().filter(|square| self.is_closed(**square)).count() as i32
                }
                Preference::Again => {
                    -(around.iter().filter(|square| self.is_closed(**square)).count() as i32)
                }
            };
            (word(at), ReferenceMove { with, appeal })
        };
        self.free().into_iter().map(said).collect()
    }

    fn play(&mut self, ply: &str, tally: &mut Tally) -> Vec<String> {
        let mover = self.side;
        let at = super::name(ply);
        if self.side == 'g' && self.board.len() == 1 {
            let red = *self.board.keys().next().unwrap();
            count(
                tally,
                if leaps(red, at) { "green answers by a leap" } else { "green answers beside" },
            );
            let near = |to: &Name| (to[0] as i32 - red[0] as i32, to[1] as i32 - red[1] as i32);
            let barred = |to: &Name| {
                let (x, y) = near(to);
                ground(*to) == 'g' && x.abs() + y.abs() == 3 && x != 0 && y != 0 && !leaps(red, *to)
            };
            if squares().iter().any(barred) {
                count(tally, "a lake bars a leap");
            }
        }
        *self = self.with_stone(at);
        let raised = self.raised();
        let mut did = vec![format!("placed {} {mover}", word(at))];
        for square in &raised {
            self.board.insert(*square, 'p');
            self.pavilions += 1;
            did.push(format!("pavilion {} {mover}", word(*square)));
        }
        match raised.len() {
            0 => {}
            1 => count(tally, "one pavilion"),
            2 => count(tally, "two pavilions"),
            _ => count(tally, "three pavilions or more"),
        }
        if !raised.is_empty() {
            count(tally, if mover == 'r' { "red raises" } else { "green raises" });
        }
        self.side = other(mover);
        if self.free().is_empty() {
            // The article's theorem: odd and Red has won, even and Green has.
            assert_eq!(mover == 'r', self.pavilions % 2 == 1, "{}", self.text());
            count(tally, if mover == 'r' { "red wins" } else { "green wins" });
            self.over = Some(format!("{mover} no-moves"));
            did.push(format!("ended {mover} no-moves"));
        }
        did.sort();
        did
    }
}

/// The rules that games should apply.
pub(crate) fn rules() -> Vec<&'static str> {
    vec![
        "green answers by a leap",
        "green answers beside",
        "a lake bars a leap",
        "one pavilion",
        "two pavilions",
        "three pavilions or more",
        "red raises",
        "green raises",
        "red wins",
        "green wins",
    ]
}
