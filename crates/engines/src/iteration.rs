//! What an iteration of a deepening search reports of its root.

use super::control::SearchControl;

/// A root move with its value and its principal variation.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    pub(super) value: i32,
    /// Starts with the move itself.
    pub(super) pv: Vec<M>,
}

/// What an iteration has found.
#[derive(Debug)]
pub(super) struct Iteration<'a, M> {
    pub(super) depth: u32,
    /// The best moves, best first; at least one.
    pub(super) lines: &'a [RootMove<M>],
    /// Whether all moves were searched. If not, a value is only a lower bound.
    pub(super) is_complete: bool,
}

/// Called with what an iteration has found, and the search's control.
pub(super) type OnIteration<'a, M> = dyn FnMut(&Iteration<'_, M>, &SearchControl<'_>) + 'a;
