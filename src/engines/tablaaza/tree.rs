//! What the search must know of a game.

use super::super::score::MATE;
use crate::games::Repetition;

/// How a position that ends the game ends it for the side that would move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side to move has won.
    Won,
    /// The side to move has lost.
    Lost,
    /// Neither.
    Drawn,
}

/// A game of two sides that move in turn, as the search sees it.
pub(super) trait Tree: Clone + Send + Sync {
    type Move: Copy + PartialEq + Send + Sync;

    /// Codes of moves are below this.
    const CODES: usize;

    /// A number of the position; different positions have different ones, or
    /// so rarely not that it doesn't matter.
    fn key(&self) -> u64;

    /// The number of pieces. Positions with different numbers can't be the
    /// same, and a piece that is gone is gone for good.
    fn men(&self) -> u32;

    /// Whether the position ends the game. A side that cannot move has lost;
    /// that need not be seen here.
    fn verdict(&self) -> Option<Verdict>;

    /// Adds all legal moves, each with a promise: 0 for a quiet move, more for
    /// a capture or something else worth looking at first.
    fn moves(&self, into: &mut Vec<(Self::Move, i32)>);

    /// Adds the moves that must be looked at before a position is judged, with
    /// their promises. None by default: every position can be judged.
    fn loud_moves(&self, _into: &mut Vec<(Self::Move, i32)>) {}

    /// The position after a legal move.
    fn after(&self, mv: Self::Move) -> Self;

    /// The worth for the side to move, in hundredths of a piece.
    fn evaluate(&self) -> i32;

    /// Whether the side to move certainly wins with its next move.
    fn wins_at_once(&self) -> bool {
        false
    }

    /// A number of the move, below [`Tree::CODES`].
    fn code(mv: Self::Move) -> u16;

    /// What the rules do about positions that come back.
    fn repetition(&self) -> Repetition {
        Repetition::Ignored
    }
}

/// A position of the game so far, as far as repetition needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trace {
    pub(super) key: u64,
    pub(super) men: u32,
}

impl Verdict {
    /// The value for the side to move, `ply` plies from the root.
    pub(super) const fn value(self, ply: usize) -> i32 {
        match self {
            Self::Won => MATE - ply as i32,
            Self::Lost => ply as i32 - MATE,
            Self::Drawn => 0,
        }
    }
}

impl Trace {
    pub(super) fn of<T: Tree>(tree: &T) -> Self {
        Self { key: tree.key(), men: tree.men() }
    }
}
