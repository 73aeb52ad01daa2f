//! The parameters of the search: every pruning rule, reduction and window.
//!
//! Margins are in points, depths and reductions in plies.

/// Iterative deepening ends here.
pub(super) const MAX_DEPTH: u32 = 100;

/// Aspiration: half the width of the first window around the last value.
pub(super) const ASPIRATION_WINDOW: i32 = 30;
/// Aspiration: shallower iterations have an open window.
pub(super) const ASPIRATION_MIN_DEPTH: u32 = 5;
/// Aspiration: a side of the window that fails becomes so many times wider.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// Aspiration: a side that is wider than this and fails is opened.
pub(super) const ASPIRATION_MAX_WINDOW: i32 = 400;

/// Late-move reductions at the root: one ply less when more than so many moves
/// were searched before and the depth is greater, once more for the second row.
pub(super) const ROOT_LMR: [(usize, i32); 2] = [(3, 3), (15, 6)];

/// Threat extension: a threatened win is searched one ply deeper up to this
/// multiple of the iteration's depth.
pub(super) const EXTENSION_PLY_FACTOR: usize = 2;

/// Reverse futility pruning: the depth up to which a static evaluation far above
/// beta is trusted.
pub(super) const REVERSE_FUTILITY_MAX_DEPTH: i32 = 6;
/// Reverse futility pruning: margin for each ply, one less when improving.
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Razoring: the depth up to which a static evaluation far below alpha is left
/// to the quiescence search.
pub(super) const RAZORING_MAX_DEPTH: i32 = 2;
/// Razoring: margin, and the margin for each ply.
pub(super) const RAZORING_MARGIN: i32 = 150;
pub(super) const RAZORING_DEPTH_MARGIN: i32 = 150;

/// Null-move pruning: least depth.
pub(super) const NULL_MOVE_MIN_DEPTH: i32 = 3;
/// Null-move pruning: base reduction, including the ply of the null move itself.
pub(super) const NULL_MOVE_REDUCTION: i32 = 3;
/// Null-move pruning: one ply less for so many plies of depth.
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// Null-move pruning: one ply less for so many points above beta, but no more
/// than the maximum.
pub(super) const NULL_MOVE_EVAL_DIVISOR: i32 = 150;
pub(super) const NULL_MOVE_MAX_EVAL_REDUCTION: i32 = 2;

/// Internal iterative reduction: from this depth on, a node without a move from
/// the transposition table is searched one ply less deep.
pub(super) const IIR_MIN_DEPTH: i32 = 5;

/// Late-move pruning: the depth up to which late quiet moves are skipped.
pub(super) const LMP_MAX_DEPTH: i32 = 4;
/// Late-move pruning: moves searched before, plus the factor times the depth
/// squared; half of it when not improving.
pub(super) const LMP_BASE: i32 = 5;
pub(super) const LMP_DEPTH_FACTOR: i32 = 2;

/// Futility pruning: the depth up to which quiet moves are skipped when the
/// static evaluation is far below alpha.
pub(super) const FUTILITY_MAX_DEPTH: i32 = 4;
/// Futility pruning: margin, and the margin for each ply.
pub(super) const FUTILITY_MARGIN: i32 = 90;
pub(super) const FUTILITY_DEPTH_MARGIN: i32 = 90;

/// Late-move reductions: least depth, and moves searched before.
pub(super) const LMR_MIN_DEPTH: i32 = 2;
pub(super) const LMR_MIN_MOVES: usize = 2;
/// Late-move reductions: base + ln(depth) * ln(move number) / divisor.
pub(super) const LMR_BASE: f32 = 0.6;
pub(super) const LMR_DIVISOR: f32 = 2.2;
/// Late-move reductions: one ply less for so much history.
pub(super) const LMR_HISTORY_DIVISOR: i32 = 6000;

/// Quiescence: maximum plies beyond the search depth.
pub(super) const QS_MAX_PLY: usize = 12;
/// Quiescence: plies in which all moves are tried when the king is threatened.
pub(super) const QS_EVASION_PLIES: usize = 2;
/// Quiescence: plies in which the king tries forks.
pub(super) const QS_FORK_PLIES: usize = 3;

/// History: values stay within this, either way.
pub(super) const MAX_HISTORY: i32 = 16_000;
/// History: bonus for each ply of depth squared, and its maximum.
pub(super) const HISTORY_BONUS: i32 = 12;
pub(super) const MAX_HISTORY_BONUS: i32 = 1600;

/// Move ordering: a king's fork comes before all captures.
pub(super) const FORK_SCORE: i32 = 2 * MAX_HISTORY;
/// Move ordering: quiet moves after so many are taken unsorted, since none
/// stands out.
pub(super) const SORTED_MOVES: usize = 16;

/// A reply is far, so that a weak level may overlook it, when it goes at least
/// so many squares.
pub(super) const OVERLOOKED_LENGTH: usize = 4;
