//! Thinking about Tablaaza.
//!
//! Only closed or free matters, so the tree's position is one mask; its key is
//! exact. When few squares are free the search reaches the end of every line
//! and its wins and losses are proven, to the ply.

mod bits;
mod regions;
mod solve;
mod solver;
mod table;
mod values;

pub use solve::{Proof, Solution, SolveProgress, SolveSettings, solve};

use super::{
    Info, Request, Stop,
    thought::run,
    tree::{Trace, Tree, Verdict},
};
use crate::games::{
    AnyMove, Game as _, Side, Square,
    tablaaza::{Board, Move, Position},
};

/// What the terms of [`Node::evaluate`] weigh, in hundredths of a free square.
///
/// The game is a race to run out of squares: who closes the last one of his own
/// colour raises pavilions on all that the opponent has left, and has won. A
/// pavilion on an opponent's square is a move he needn't make any more.
mod weights {
    /// A free square the opponent has more than oneself.
    pub(super) const BEHIND: i32 = 100;
    /// A free square of one's own that one more stone of the opponent's closes.
    pub(super) const GIFT: i32 = 30;
    /// One that two more close.
    pub(super) const HOPE: i32 = 10;
    /// Being on turn.
    pub(super) const TEMPO: i32 = 50;
}

/// A position as the search sees it.
#[derive(Clone, Debug)]
struct Node {
    board: &'static Board,
    closed: u64,
    side: Side,
    /// The squares open to the neighbourly first answer; all otherwise.
    near: u64,
}

impl Node {
    fn of(position: &Position) -> Self {
        let near = if position.is_neighbourly() { position.targets() } else { u64::MAX };
        Self { board: position.board(), closed: position.closed(), side: position.side(), near }
    }

    const fn free(&self, side: Side) -> u64 {
        self.board.coloured(side) & !self.closed
    }

    const fn targets(&self) -> u64 {
        self.free(self.side) & self.near
    }

    /// What the opponent may close for `side` soon.
    fn gifts(&self, side: Side) -> i32 {
        let open = self.free(side.other());
        let mut rest = self.free(side);
        let mut sum = 0;
        while rest != 0 {
            sum += match (self.board.corridors_at(rest.trailing_zeros()) & open).count_ones() {
                1 => weights::GIFT,
                2 => weights::HOPE,
                _ => 0,
            };
            rest &= rest - 1;
        }
        sum
    }
}

impl Tree for Node {
    type Move = u8;

    const CODES: usize = 64;

    fn key(&self) -> u64 {
        // Bits 56 and up are no squares. The steps of SplitMix64 lose nothing,
        // so different positions have different keys.
        let bound = u64::from(self.near != u64::MAX) << 62;
        let mut x = self.closed | (self.side.index() as u64) << 63 | bound;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn men(&self) -> u32 {
        self.closed.count_ones()
    }

    fn verdict(&self) -> Option<Verdict> {
        (self.targets() == 0).then_some(Verdict::Lost)
    }

    fn moves(&self, into: &mut Vec<(u8, i32)>) {
        let mut rest = self.targets();
        while rest != 0 {
            into.push((rest.trailing_zeros() as u8, 0));
            rest &= rest - 1;
        }
    }

    fn after(&self, mv: u8) -> Self {
        let closed = self.closed | 1 << mv;
        let closed = closed | self.board.raised(closed, self.side);
        let near = if self.closed == 0 { self.board.neighbourly_at(mv.into()) } else { u64::MAX };
        Self { board: self.board, closed, side: self.side.other(), near }
    }

    fn evaluate(&self) -> i32 {
        let (mine, theirs) = (self.side, self.side.other());
        let left = |side| self.free(side).count_ones() as i32;
        weights::BEHIND * (left(theirs) - left(mine)) + self.gifts(mine) - self.gifts(theirs)
            + weights::TEMPO
    }

    fn wins_at_once(&self) -> bool {
        // The last stone on one's own colour closes all there is.
        self.free(self.side).is_power_of_two() && self.targets() != 0
    }

    fn code(mv: u8) -> u16 {
        u16::from(mv)
    }
}

pub(super) fn think(
    position: &Position,
    request: &Request,
    stop: &Stop,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let root = Node::of(position);
    let own = |mv| match mv {
        AnyMove::Tablaaza(mv) => Some(mv.square().rank * 8 + mv.square().file),
        _ => None,
    };
    let any = |mv: u8| AnyMove::Tablaaza(Move::new(Square::new(mv % 8, mv / 8)));
    let past = vec![Trace::of(&root)];
    let free = root.board.playing().count_ones() - root.closed.count_ones();
    let sees_end = free <= request.settings.level.skill().endgame;
    run(&root, past, (own, any), sees_end, request, stop, on_info)
}
