//! The parameters of the search: every pruning rule, reduction and window.
//!
//! Margins are in points, depths and reductions in plies.

/// Aspiration: half the width of the first window around the last value.
pub(super) const ASPIRATION_WINDOW: i32 = 30;
/// Aspiration: shallower iterations have a full window.
pub(super) const ASPIRATION_MIN_DEPTH: u32 = 5;
/// Aspiration: factor by which a side of the window widens when it fails.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// Aspiration: a side wider than this is opened fully when it fails.
pub(super) const ASPIRATION_MAX_WINDOW: i32 = 400;

/// Contempt: an iteration of at least this depth that finds the side to move worse off than
/// this lowers the contempt for the rest of the search.
pub(super) const CONTEMPT_MIN_DEPTH: u32 = 6;
pub(super) const CONTEMPT_MIN_VALUE: i32 = -250;
/// Contempt: a draw then counts as better than that iteration's value by at least this.
pub(super) const CONTEMPT_DRAW_GAIN: i32 = 50;
/// Contempt: the lowered one is a multiple of this, so that the searches of a game can use
/// each other's entries in the transposition table.
pub(super) const CONTEMPT_STEP: i32 = 100;

/// Late-move reductions at the root: one ply for each of these pairs whose move
/// index and depth are both exceeded.
pub(super) const ROOT_LMR: [(usize, i32); 2] = [(3, 3), (15, 6)];

/// Threat extension: a node where the opponent threatens to win is searched one ply
/// deeper, up to this multiple of the iteration's depth.
pub(super) const EXTENSION_PLY_FACTOR: usize = 2;

/// Reverse futility pruning: maximum depth.
pub(super) const REVERSE_FUTILITY_MAX_DEPTH: i32 = 6;
/// Reverse futility pruning: margin per ply of depth, one ply less when improving.
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Razoring: maximum depth.
pub(super) const RAZORING_MAX_DEPTH: i32 = 2;
/// Razoring: base margin, and margin per ply of depth.
pub(super) const RAZORING_MARGIN: i32 = 150;
pub(super) const RAZORING_DEPTH_MARGIN: i32 = 150;

/// Null-move pruning: minimum depth.
pub(super) const NULL_MOVE_MIN_DEPTH: i32 = 3;
/// Null-move pruning: minimum number of moves. With fewer, every move may be worse than
/// passing (zugzwang).
pub(super) const NULL_MOVE_MIN_MOVES: u32 = 12;
/// Null-move pruning: base reduction, including the ply of the null move itself.
pub(super) const NULL_MOVE_REDUCTION: i32 = 3;
/// Null-move pruning: one more ply of reduction per this many plies of depth.
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// Null-move pruning: one more ply of reduction per this many points above beta, up
/// to the maximum.
pub(super) const NULL_MOVE_EVAL_DIVISOR: i32 = 150;
pub(super) const NULL_MOVE_MAX_EVAL_REDUCTION: i32 = 2;

/// Internal iterative reduction: minimum depth at which a node without a move from
/// the transposition table is reduced by one ply.
pub(super) const IIR_MIN_DEPTH: i32 = 5;

/// Late-move pruning: maximum depth.
pub(super) const LMP_MAX_DEPTH: i32 = 4;
/// Late-move pruning: quiet moves are skipped after base + factor * depth² moves,
/// half as many when not improving.
pub(super) const LMP_BASE: i32 = 5;
pub(super) const LMP_DEPTH_FACTOR: i32 = 2;

/// Futility pruning: maximum depth.
pub(super) const FUTILITY_MAX_DEPTH: i32 = 4;
/// Futility pruning: base margin, and margin per ply of depth.
pub(super) const FUTILITY_MARGIN: i32 = 90;
pub(super) const FUTILITY_DEPTH_MARGIN: i32 = 90;

/// Late-move reductions: minimum depth, and moves searched before the first
/// reduced one.
pub(super) const LMR_MIN_DEPTH: i32 = 2;
pub(super) const LMR_MIN_MOVES: usize = 2;
/// Late-move reductions: base + ln(depth) * ln(move number) / divisor.
const LMR_BASE: f64 = 0.6;
const LMR_DIVISOR: f64 = 2.2;
/// Late-move reductions by depth and move number, computed by the compiler.
pub(super) static LMR_TABLE: [[i8; 64]; 64] = lmr_table();
/// Late-move reductions: one ply less of reduction per this much history.
pub(super) const LMR_HISTORY_DIVISOR: i32 = 6000;

/// Quiescence: maximum plies beyond the search depth.
pub(super) const QS_MAX_PLY: usize = 12;
/// Quiescence: plies in which all moves are tried when the king is threatened.
pub(super) const QS_EVASION_PLIES: usize = 2;
/// Quiescence: plies in which the king tries forks.
pub(super) const QS_FORK_PLIES: usize = 3;

/// History: maximum of a value in either direction.
pub(super) const MAX_HISTORY: i32 = 16_000;
/// History: bonus per square of the depth, and its maximum.
pub(super) const HISTORY_BONUS: i32 = 12;
pub(super) const MAX_HISTORY_BONUS: i32 = 1600;

/// Move ordering: score of a king's fork, above all captures.
pub(super) const FORK_SCORE: i32 = 2 * MAX_HISTORY;
/// Move ordering: this many moves of a stage are sorted; the rest are tried in the
/// order of generation.
pub(super) const SORTED_MOVES: usize = 16;

/// How much worse a move looks to a level that plays at sight if it sees that the
/// opponent could win at once; more than all other differences.
pub(super) const LOSS_AT_SIGHT: i32 = 10_000;

const fn lmr_table() -> [[i8; 64]; 64] {
    let (logarithms, mut table) = (logarithms(), [[0; 64]; 64]);
    let mut depth = 1;
    while depth < 64 {
        let mut number = 1;
        while number < 64 {
            let product = logarithms[depth] * logarithms[number];
            table[depth][number] = (LMR_BASE + product / LMR_DIVISOR) as i8;
            number += 1;
        }
        depth += 1;
    }
    table
}

/// The natural logarithms of 1 to 63: each is the one before plus 2 artanh(1 / (2n - 1)).
const fn logarithms() -> [f64; 64] {
    let mut logarithms = [0.0; 64];
    let mut n = 2;
    while n < 64 {
        let x = 1.0 / (2 * n - 1) as f64;
        let (mut sum, mut power, mut k) = (0.0, x, 1);
        while k < 40 {
            sum += power / k as f64;
            power *= x * x;
            k += 2;
        }
        logarithms[n] = logarithms[n - 1] + 2.0 * sum;
        n += 1;
    }
    logarithms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_the_logarithms_of_depth_and_move_number() {
        for depth in 1..64_u8 {
            for number in 1..64_u8 {
                let [one, other] = [depth, number].map(|number| f32::from(number).ln());
                let reduction = LMR_TABLE[usize::from(depth)][usize::from(number)];
                assert_eq!(reduction, (0.6 + one * other / 2.2) as i8, "{depth} {number}");
            }
        }
        assert_eq!((LMR_TABLE[0], LMR_TABLE[9][0]), ([0; 64], 0));
    }
}
