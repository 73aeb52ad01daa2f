//! Thinking about Tablaaza.
//!
//! Only closed or free matters, so the tree's position is one mask; its key is
//! exact. When few squares are free the search reaches the end of every line
//! and its wins and losses are proven, to the ply.

use super::{
    Info, Request, Stop,
    search::{Trace, Tree, Verdict},
    thought::run,
};
use crate::games::{
    AnyMove, Game as _, Side, Square,
    tablaaza::{Board, Move, Position},
};

/// What the terms of [`Node::evaluate`] weigh, in hundredths of a free square.
pub(super) mod weights {
    /// A free square of one's own more than the opponent has.
    pub(in crate::engines) const FREE: i32 = 100;
    /// A free square of the opponent's on which one more stone raises a
    /// pavilion.
    pub(in crate::engines) const THREAT: i32 = 45;
    /// One on which two more do.
    pub(in crate::engines) const PLAN: i32 = 12;
    /// Being on turn.
    pub(in crate::engines) const TEMPO: i32 = 20;
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

    /// What `side` threatens to raise soon.
    fn threats(&self, side: Side) -> i32 {
        let open = self.free(side);
        let mut rest = self.free(side.other());
        let mut sum = 0;
        while rest != 0 {
            sum += match (self.board.corridors_at(rest.trailing_zeros()) & open).count_ones() {
                1 => weights::THREAT,
                2 => weights::PLAN,
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
            let bit = rest & rest.wrapping_neg();
            let raised = self.board.raised(self.closed | bit, self.side).count_ones();
            into.push((rest.trailing_zeros() as u8, raised as i32));
            rest ^= bit;
        }
    }

    fn after(&self, mv: u8) -> Self {
        let closed = self.closed | 1 << mv;
        let closed = closed | self.board.raised(closed, self.side);
        Self { board: self.board, closed, side: self.side.other(), near: u64::MAX }
    }

    fn evaluate(&self) -> i32 {
        let (mine, theirs) = (self.side, self.side.other());
        let count = |side| self.free(side).count_ones() as i32;
        weights::FREE * (count(mine) - count(theirs)) + self.threats(mine) - self.threats(theirs)
            + weights::TEMPO
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
    run(&root, past, (own, any), request, stop, on_info)
}
