//! The bearoff solver: exact equities of positions with few travelling pieces.
//! Unlike a bearoff database of backgammon it is filled on demand, allows contact,
//! and ends when the pieces are on the goal row.
//!
//! Pieces only move forward, so a position depends only on later ones, except for
//! two loops: an unusable throw is thrown again, and a null score passes the same
//! board to the opponent. [`solve_pass_loop`] resolves both, so each board is solved
//! once for either side to throw.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError, TryLockError},
};

use super::{
    board::{Board, SCORES},
    throws::{ThrowSummary, solve_pass_loop},
};
use tabulae_games::GOLDEN_GAMMA;

/// Maximum number of travelling pieces of a side.
const MAX_TRAVELLING: u32 = 2;
/// Maximum number of boards solved for one query.
const MAX_NEW_BOARDS: usize = 60_000;
/// Bytes of memory per solved board, with the hash table's slack.
const BOARD_BYTES: usize = 80;

/// Equities of a board for its thrower, and for the opponent if the opponent
/// throws; exact except for rounding.
type EquityPair = [f64; 2];

/// The table of solved boards.
#[derive(Debug, Default)]
pub(super) struct BearoffSolver {
    /// By the bitboards, own first. Of a board and its swapped form the smaller pair
    /// is stored.
    solved: HashMap<(u64, u64), EquityPair, BuildHasherDefault<BoardHasher>>,
    ordered: bool,
}

/// The query was stopped or needs too many boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unsolved;

/// What one query may use.
struct Budget<'a> {
    /// Maximum number of boards in the table.
    max_boards: usize,
    keep_going: &'a mut dyn FnMut() -> bool,
}

impl BearoffSolver {
    /// Whether the solver handles this board.
    pub(super) fn covers(board: Board) -> bool {
        board.travelling().iter().all(|&count| count <= MAX_TRAVELLING)
    }

    /// Prepares for queries of a rule set: clears the table if it belongs to
    /// another one, or if it could outgrow `mib` MiB.
    pub(super) fn prepare(&mut self, ordered: bool, mib: usize) {
        let max_boards = (mib << 20) / BOARD_BYTES;
        let needed = self.solved.len() + MAX_NEW_BOARDS;
        if self.ordered != ordered || needed > max_boards.max(2 * MAX_NEW_BOARDS) {
            self.solved.clear();
            self.ordered = ordered;
        }
    }

    /// The board's exact equity for its thrower. Calls `keep_going` before each
    /// new board; the boards solved before a stop stay in the table.
    ///
    /// # Errors
    /// `keep_going` returned false, or there are too many boards.
    pub(super) fn solve(
        &mut self,
        board: Board,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<f64, Unsolved> {
        let max_boards = self.solved.len() + MAX_NEW_BOARDS;
        self.equities(board, &mut Budget { max_boards, keep_going }).map(|pair| pair[0])
    }

    /// The board's exact equity for its thrower, if the table has it.
    pub(super) fn probe(&self, board: Board) -> Option<f64> {
        if self.solved.is_empty() || !Self::covers(board) {
            return None;
        }
        let swapped = is_stored_swapped(board);
        let stored = if swapped { board.swap_sides() } else { board };
        self.solved.get(&(stored.own, stored.opponent)).map(|pair| pair[usize::from(swapped)])
    }

    /// The board's equities, from the table or solved now.
    fn equities(&mut self, board: Board, budget: &mut Budget<'_>) -> Result<EquityPair, Unsolved> {
        if let Some(result) = board.result() {
            return Ok([f64::from(result), f64::from(-result)]);
        }
        let swapped = is_stored_swapped(board);
        let stored = if swapped { board.swap_sides() } else { board };
        let key = (stored.own, stored.opponent);
        let pair = match self.solved.get(&key) {
            Some(&pair) => pair,
            None => {
                if self.solved.len() >= budget.max_boards || !(budget.keep_going)() {
                    return Err(Unsolved);
                }
                let own = self.summary(stored, budget)?;
                let opponent = self.summary(stored.swap_sides(), budget)?;
                let pair = solve_pass_loop(own, opponent).unwrap_or_else(|| {
                    let result = f64::from(stored.arrivals_result());
                    [result, -result]
                });
                self.solved.insert(key, pair);
                pair
            }
        };
        Ok(if swapped { [pair[1], pair[0]] } else { pair })
    }

    /// The summary of the thrower's best moves.
    fn summary(
        &mut self,
        board: Board,
        budget: &mut Budget<'_>,
    ) -> Result<ThrowSummary<f64>, Unsolved> {
        let mut equities = [None; 3];
        for ((score, _), equity) in SCORES.into_iter().zip(&mut equities) {
            let mut best = f64::NEG_INFINITY;
            let any = board.try_for_each_successor(score, |after| {
                best = best.max(self.equities(after, budget)?[0]);
                Ok::<_, Unsolved>(())
            })?;
            *equity = any.then_some(best);
        }
        Ok(ThrowSummary::of(equities))
    }

    /// How many boards are solved.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.solved.len()
    }
}

/// Whether the table holds the board with its sides swapped.
fn is_stored_swapped(board: Board) -> bool {
    (board.own, board.opponent) > (board.opponent, board.own)
}

/// Locks the table that is shared by the searches of a game, unless another
/// search is using it.
pub(super) fn lock_shared() -> Option<MutexGuard<'static, BearoffSolver>> {
    static SHARED: LazyLock<Mutex<BearoffSolver>> = LazyLock::new(Mutex::default);
    match SHARED.try_lock() {
        Ok(guard) => Some(guard),
        // Only complete equities are inserted, so the table is valid.
        Err(TryLockError::Poisoned(poisoned)) => Some(PoisonError::into_inner(poisoned)),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// A fast multiplicative hasher for two bitboards, without protection against
/// chosen keys.
#[derive(Debug, Default)]
pub(super) struct BoardHasher(u64);

impl Hasher for BoardHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(25) ^ word).wrapping_mul(GOLDEN_GAMMA);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::tablan::{ORDERED, PLAIN, Position};

    fn board(text: &str, ordered: bool) -> Board {
        Board::from_position(&Position::parse(if ordered { ORDERED } else { PLAIN }, text).unwrap())
    }

    fn equity(text: &str, ordered: bool) -> f64 {
        BearoffSolver::default().solve(board(text, ordered), &mut || true).unwrap()
    }

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn the_equity_of_a_one_step_race_is_one_sixth() {
        // Each side has eleven arrived pieces and one that only a 2 brings there.
        // South throws: 16 x = 4 + 2 x - 10 y, and x = y.
        let text = "SSSSSSSSSSS1/10S1/1N10/1NNNNNNNNNNN s";
        check(equity(text, true), 1.0 / 6.0);
    }

    #[test]
    fn every_solved_equity_is_the_average_over_the_throws() {
        // The defining equation, checked for every board of an endgame.
        for (text, ordered) in
            [("2S3S1S3/S9S1/5N4N1/N2N2N5 s", false), ("SS10/3N3N4/1S3S6/10NN n", true)]
        {
            let root = board(text, ordered);
            let mut solver = BearoffSolver::default();
            solver.solve(root, &mut || true).unwrap();
            assert!(solver.len() > 100, "{}", solver.len());
            let boards: Vec<_> = solver.solved.keys().copied().collect();
            for (own, opponent) in boards {
                let board = Board { own, opponent, ordered };
                let mut equity = |board: Board| solver.solve(board, &mut || false).unwrap();
                let unchanged = equity(board);
                let mut sum = -10.0 * equity(board.swap_sides());
                for (score, weight) in SCORES {
                    let mut best = None;
                    board.for_each_successor(score, |after| {
                        let value = equity(after);
                        best = Some(best.map_or(value, |best: f64| best.max(value)));
                    });
                    sum += f64::from(weight) * best.unwrap_or(unchanged);
                }
                if SCORES.iter().any(|&(score, _)| board.can_move(score)) {
                    check(sum / 16.0, unchanged);
                }
            }
        }
    }

    #[test]
    fn decided_positions_have_equity_one() {
        // South is two ahead and North has one more to come.
        check(equity("SSS9/12/5N6/N10S s", false), 1.0);
        check(equity("SSS9/12/5N6/N10S n", false), -1.0);
    }

    #[test]
    fn a_stopped_query_keeps_its_boards_and_can_be_resumed() {
        let root = board("2S3S1S3/S9S1/5N4N1/N2N2N5 s", false);
        let mut solver = BearoffSolver::default();
        let mut left = 300;
        let stopped = solver.solve(root, &mut || {
            left -= 1;
            left > 0
        });
        assert_eq!(stopped, Err(Unsolved));
        let solved = solver.len();
        assert!(solved > 0);
        let exact = solver.solve(root, &mut || true).unwrap();
        check(exact, equity("2S3S1S3/S9S1/5N4N1/N2N2N5 s", false));
        assert!(solver.len() > solved);
    }
}
