//! A position of Tablaaza as the common alpha-beta sees it: one mask; its key
//! is exact.

use super::tree::{Tree, Verdict};
use crate::games::{
    Game as _, Side,
    tablaaza::{Board, Position},
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
pub(super) struct Node {
    pub(super) board: &'static Board,
    closed: u64,
    side: Side,
    /// The squares open to the neighbourly first answer; all otherwise.
    near: u64,
}

impl Node {
    pub(super) fn of(position: &Position) -> Self {
        let near = if position.is_neighbourly() { position.targets() } else { u64::MAX };
        Self { board: position.board(), closed: position.closed(), side: position.side(), near }
    }

    pub(super) const fn free(&self, side: Side) -> u64 {
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

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use crate::games::{Square, Turn, tablaaza::Move};

    /// The node tells of the position what the rules tell.
    fn compare(position: &Position, node: &Node) {
        let fresh = Node::of(position);
        assert_eq!((node.key(), node.men()), (fresh.key(), fresh.men()), "{position}");
        assert_eq!((node.closed, node.side), (position.closed(), position.side()), "{position}");
        let is_over = matches!(position.turn(), Turn::Over(_));
        assert_eq!(node.verdict().is_some(), is_over, "{position}");
        let mut moves = Vec::new();
        node.moves(&mut moves);
        let mut ours: Vec<_> =
            moves.iter().map(|(mv, _)| Move::new(Square::new(mv % 8, mv / 8))).collect();
        let mut legal = position.legal_moves();
        ours.sort_unstable();
        legal.sort_unstable();
        assert_eq!(ours, legal, "{position}");
        let mut wins = false;
        for (mv, legal) in moves.iter().map(|(mv, _)| (mv, Move::new(Square::new(mv % 8, mv / 8))))
        {
            let mut after = *position;
            after.play(legal).unwrap();
            assert_eq!(node.after(*mv).key(), Node::of(&after).key(), "{position}: {legal}");
            wins |= after.turn().end().is_some_and(|end| end.winner == Some(position.side()));
        }
        // It may overlook a win that comes another way, but promises none.
        assert!(!node.wins_at_once() || wins, "{position}");
    }

    #[test]
    fn random_games_are_the_same_by_the_rules_and_by_the_search() {
        let mut compared = 0;
        for seed in 0..200 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut position = Position::start();
            let mut node = Node::of(&position);
            loop {
                compare(&position, &node);
                compared += 1;
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.random_range(0..moves.len())];
                node = node.after(mv.square().rank * 8 + mv.square().file);
                position.play(mv).unwrap();
            }
        }
        assert!(compared > 4000, "{compared}");
    }
}
