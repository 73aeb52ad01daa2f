//! Types that the parts of the search pass to each other.

use tabulae_games::tablut::Board as Pieces;

use super::{
    board::{Board, Move},
    threats::Threat,
};

/// What the repetition rule compares of a position on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HistoryKey {
    pub(super) key: u64,
    /// A capture is irreversible: no position before it comes back.
    pub(super) soldiers: u8,
}

impl HistoryKey {
    pub(super) const fn of(board: &Pieces) -> Self {
        Self { key: board.key, soldiers: board.soldier_count() }
    }
}

/// A node of the search tree and what is known of it before its move loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeContext<'b> {
    pub(super) board: &'b Board,
    pub(super) ply: usize,
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Whether this is a PV node: its window is not a null window.
    pub(super) is_pv: bool,
    /// The move that led here; none after a null move.
    pub(super) previous_move: Move,
    /// The transposition table's move, or none.
    pub(super) tt_move: Move,
    pub(super) static_eval: i32,
    /// Whether the static evaluation is better than it was two plies before.
    pub(super) is_improving: bool,
    /// How to defend against a win that the opponent threatens.
    pub(super) threat: Threat,
}

/// The best of a node's moves so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestMove {
    pub(super) value: i32,
    pub(super) mv: Move,
    /// The node's alpha, raised by the moves so far.
    pub(super) alpha: i32,
    /// Moves searched or skipped.
    pub(super) count: usize,
}
