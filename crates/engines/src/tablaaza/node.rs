//! A position of Tablaaza as the alpha-beta search sees it: one bitboard, an
//! exact key and a static evaluation.

use super::bits::BitIter;
use tabulae_games::{
    Game as _, Side, Square, splitmix64,
    tablaaza::{Board, Move, Position},
};

/// Weights of [`Node::evaluate`], in hundredths of a free square.
///
/// The game is a race to run out of squares: a player who closes the last one
/// of their own colour raises pavilions on all that the opponent has left, and
/// wins. A pavilion on an opponent's square saves the opponent a move.
mod weights {
    /// Each free square that the opponent has more than the side to move.
    pub(super) const SQUARE: i32 = 100;
    /// A free square of one's own that one more stone of the opponent closes.
    pub(super) const ONE_STONE_TO_CLOSE: i32 = 30;
    /// A free square of one's own that two more stones close.
    pub(super) const TWO_STONES_TO_CLOSE: i32 = 10;
    /// Being on move.
    pub(super) const TEMPO: i32 = 50;
}

/// Bits of the key above the squares: the side to move, and whether the
/// neighbourly rule binds the next move.
const SIDE_BIT: u32 = 63;
const NEIGHBOURLY_BIT: u32 = 62;

/// The search's number of a move: bit `8 * rank + file`.
pub(super) const fn move_index(mv: Move) -> u8 {
    mv.square().rank * 8 + mv.square().file
}

/// The inverse of [`move_index`].
pub(super) const fn move_at(index: u8) -> Move {
    Move::new(Square::new(index % 8, index / 8))
}

/// A position as the search sees it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    board: &'static Board,
    closed: u64,
    side: Side,
    /// The squares that the neighbourly rule allows; all if it does not bind.
    allowed: u64,
}

impl Node {
    pub(super) fn new(position: &Position) -> Self {
        let allowed = if position.is_neighbourly() { position.targets() } else { u64::MAX };
        Self { board: position.board(), closed: position.closed(), side: position.side(), allowed }
    }

    pub(super) const fn free(&self, side: Side) -> u64 {
        self.board.coloured(side) & !self.closed
    }

    const fn targets(&self) -> u64 {
        self.free(self.side) & self.allowed
    }

    /// A key that is different for different positions.
    pub(super) fn key(&self) -> u64 {
        let neighbourly = u64::from(self.allowed != u64::MAX) << NEIGHBOURLY_BIT;
        splitmix64(self.closed | (self.side.index() as u64) << SIDE_BIT | neighbourly)
    }

    /// Whether the side to move has no move and so has lost.
    pub(super) const fn is_lost(&self) -> bool {
        self.targets() == 0
    }

    /// Whether the next move certainly wins: a stone on the last free square of
    /// the mover's colour closes all the others. There may be other wins.
    pub(super) const fn wins_at_once(&self) -> bool {
        self.free(self.side).is_power_of_two() && self.targets() != 0
    }

    /// The legal moves.
    pub(super) fn moves(&self) -> impl Iterator<Item = u8> + use<> {
        BitIter(self.targets()).map(|square| square as u8)
    }

    /// The position after a legal move.
    pub(super) fn after(&self, square: u8) -> Self {
        let closed = self.closed | 1 << square;
        let closed = closed | self.board.raised(closed, self.side);
        let allowed =
            if self.closed == 0 { self.board.neighbourly_at(square.into()) } else { u64::MAX };
        Self { board: self.board, closed, side: self.side.other(), allowed }
    }

    /// The number of pavilions that a legal move raises.
    pub(super) fn raised_by(&self, square: u8) -> u32 {
        self.after(square).closed.count_ones() - self.closed.count_ones() - 1
    }

    /// The static evaluation for the side to move, in hundredths of a square.
    pub(super) fn evaluate(&self) -> i32 {
        let (own, opponent) = (self.side, self.side.other());
        let free = |side| self.free(side).count_ones() as i32;
        weights::SQUARE * (free(opponent) - free(own)) + self.easily_closed(own)
            - self.easily_closed(opponent)
            + weights::TEMPO
    }

    /// Bonus for squares of `side` that few stones of the opponent close.
    fn easily_closed(&self, side: Side) -> i32 {
        let others = self.free(side.other());
        let bonus =
            |square: usize| match (self.board.corridors_at(square as u32) & others).count_ones() {
                1 => weights::ONE_STONE_TO_CLOSE,
                2 => weights::TWO_STONES_TO_CLOSE,
                _ => 0,
            };
        BitIter(self.free(side)).map(bonus).sum()
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::*;
    use tabulae_games::Turn;

    /// Checks that the node agrees with the rules.
    fn compare(position: &Position, node: &Node) {
        let fresh = Node::new(position);
        assert_eq!(node.key(), fresh.key(), "{position}");
        assert_eq!((node.closed, node.side), (position.closed(), position.side()), "{position}");
        let is_over = matches!(position.turn(), Turn::Over(_));
        assert_eq!(node.is_lost(), is_over, "{position}");
        let mut moves: Vec<_> = node.moves().map(move_at).collect();
        let mut legal = position.legal_moves();
        moves.sort_unstable();
        legal.sort_unstable();
        assert_eq!(moves, legal, "{position}");
        let mut wins = false;
        for mv in legal {
            let mut after = *position;
            after.play(mv).unwrap();
            let child = node.after(move_index(mv));
            assert_eq!(child.key(), Node::new(&after).key(), "{position}: {mv}");
            wins |= after.turn().end().is_some_and(|end| end.winner == Some(position.side()));
        }
        // It may miss a win, but never claims one that is not there.
        assert!(!node.wins_at_once() || wins, "{position}");
    }

    #[test]
    fn nodes_agree_with_the_rules_in_random_games() {
        let mut compared = 0;
        for seed in 0..200 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut position = Position::start();
            let mut node = Node::new(&position);
            loop {
                compare(&position, &node);
                compared += 1;
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.random_range(0..moves.len())];
                node = node.after(move_index(mv));
                position.play(mv).unwrap();
            }
        }
        assert!(compared > 4000, "{compared}");
    }
}
