//! Thinking about Tablut, by any of its rule sets.
//!
//! The search is the common one; here is what is Tablut's own: which moves are
//! worth looking at first, and what a position is worth. The rule set is read
//! from the position and never asked for by name.

mod evaluation;

use std::sync::LazyLock;

use super::{
    Info, Request, Stop,
    thought::run,
    tree::{Trace, Tree, Verdict},
};
use crate::games::{
    AnyMove, AnyPosition, Game as _, Repetition, Square,
    tablut::{Army, Bits, Move, Position, SIZE},
};

/// The promise of a move that ends the game by the king.
const ENDS: i32 = 1000;

/// A position as the search sees it.
#[derive(Clone, Debug)]
struct Node(Position);

/// The squares next to each square, by [`place`].
static BESIDE: LazyLock<Vec<Bits>> = LazyLock::new(|| {
    let squares = (0..SIZE).flat_map(|file| (0..SIZE).map(move |rank| Square::new(file, rank)));
    let near = |one: Square, other: Square| {
        one.file.abs_diff(other.file) + one.rank.abs_diff(other.rank) == 1
    };
    squares.clone().map(|one| squares.clone().filter(|other| near(one, *other)).collect()).collect()
});

/// A square's number, column by column.
const fn place(square: Square) -> usize {
    square.file as usize * SIZE as usize + square.rank as usize
}

/// The squares next to a square.
fn beside(square: Square) -> Bits {
    BESIDE.get(place(square)).copied().unwrap_or(Bits::EMPTY)
}

impl Node {
    /// What a legal move promises: captures, or the end by the king.
    fn promise(&self, mv: Move) -> i32 {
        let mut after = self.0.clone();
        let taken = after.apply(mv).len() as i32;
        if after.king_end().is_some() { ENDS } else { taken }
    }

    /// The squares from which something can be captured at all.
    fn contacts(&self) -> Bits {
        let prey = self.0.army(self.0.to_move().other());
        prey.squares().fold(Bits::EMPTY, |near, square| near | beside(square))
    }

    /// The moves, each with its promise; only those with one when `loud`.
    fn fill(&self, loud: bool, into: &mut Vec<(Move, i32)>) {
        let position = &self.0;
        let (king, contacts) = (position.king(), self.contacts());
        let homes = match position.to_move() {
            Army::White => position.rules().homes,
            Army::Black => Bits::EMPTY,
        };
        for from in position.army(position.to_move()).squares() {
            let telling = if king == Some(from) { contacts | homes } else { contacts };
            let reach = position.reach(from);
            for to in (if loud { reach & telling } else { reach }).squares() {
                let mv = Move::new(from, to);
                let promise = if telling.contains(to) { self.promise(mv) } else { 0 };
                if promise > 0 || !loud {
                    into.push((mv, promise));
                }
            }
        }
    }
}

impl Tree for Node {
    type Move = Move;

    const CODES: usize = (SIZE as usize).pow(4);

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn men(&self) -> u32 {
        self.0.occupied().len()
    }

    fn verdict(&self) -> Option<Verdict> {
        let winner = self.0.king_end()?.winner;
        Some(if winner == Some(self.0.side()) { Verdict::Won } else { Verdict::Lost })
    }

    fn moves(&self, into: &mut Vec<(Move, i32)>) {
        self.fill(false, into);
    }

    fn loud_moves(&self, into: &mut Vec<(Move, i32)>) {
        self.fill(true, into);
    }

    fn after(&self, mv: Move) -> Self {
        let mut after = self.0.clone();
        after.apply(mv);
        Self(after)
    }

    fn evaluate(&self) -> i32 {
        evaluation::evaluate(&self.0)
    }

    fn wins_at_once(&self) -> bool {
        self.0.to_move() == Army::White && self.0.king_ways() > 0
    }

    fn code(mv: Move) -> u16 {
        (place(mv.from()) * usize::from(SIZE).pow(2) + place(mv.to())) as u16
    }

    fn repetition(&self) -> Repetition {
        self.0.repetition()
    }
}

pub(super) fn think(
    position: &Position,
    request: &Request,
    stop: &Stop,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let own = |mv| match mv {
        AnyMove::Tablut(mv) => Some(mv),
        _ => None,
    };
    let past = (0..=request.line.len())
        .filter_map(|plies| match request.line.at(plies) {
            Some(AnyPosition::Tablut(position)) => Some(Trace::of(&Node(position.clone()))),
            _ => None,
        })
        .collect();
    run(&Node(position.clone()), past, (own, AnyMove::Tablut), false, request, stop, on_info)
}
