//! The look-ahead of one throw: the best move for each score by the network, and
//! the equity of a board before any number of null scores.

use std::ops::{Add, Div, Mul, Sub};

use rand::{RngExt as _, rngs::ChaCha8Rng};
use tabulae_games::tablan::score_weight;

use super::{
    board::{Board, PASS_WEIGHT, SCORES},
    features::inputs,
    network::{Accumulator, Network, equity_of},
};

/// The best move with a score: the board after it, and its evaluation for the
/// mover before tanh (infinite for a won game).
#[derive(Clone, Copy, Debug)]
pub(super) struct BestMove {
    pub(super) after: Board,
    pub(super) logit: f32,
}

impl BestMove {
    /// The equity, -1 to 1.
    pub(super) fn equity(self) -> f32 {
        equity_of(self.logit)
    }
}

/// The best move for each score; none for a score without moves. `parent` is
/// the board's own accumulator.
pub(super) fn best_moves(
    network: &Network,
    board: Board,
    parent: &Accumulator,
) -> [Option<BestMove>; 3] {
    SCORES.map(|(score, _)| {
        let mut best: Option<BestMove> = None;
        board.for_each_successor(score, |after| {
            let logit = evaluate_logit(network, parent, after);
            if best.is_none_or(|best| logit > best.logit) {
                best = Some(BestMove { after, logit });
            }
        });
        best
    })
}

/// The evaluation of a board for its thrower before tanh, updated from the
/// accumulator of a similar board. Infinite for a decided game.
pub(super) fn evaluate_logit(network: &Network, parent: &Accumulator, board: Board) -> f32 {
    match board.result() {
        Some(0.0) => 0.0,
        Some(result) => f32::INFINITY.copysign(result),
        None => network.raw_from(parent, inputs(board)),
    }
}

/// A float type: the search uses `f32`, the bearoff solver `f64`.
pub(super) trait Real:
    Copy
    + Default
    + PartialOrd
    + From<f32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
}

impl Real for f32 {}
impl Real for f64 {}

/// The weighted average over a side's throws, without null scores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ThrowSummary<R = f32> {
    /// The weights of the scores that the side can use, in sixteenths.
    pub(super) weight: R,
    /// The sum over these scores of weight times equity after the move.
    pub(super) weighted_equity: R,
}

impl<R: Real> ThrowSummary<R> {
    /// Sums up the equities after the best move with each score; none for a
    /// score without moves.
    pub(super) fn of(equities: [Option<R>; 3]) -> Self {
        let mut summary = Self::default();
        for ((_, weight), equity) in SCORES.into_iter().zip(equities) {
            if let Some(equity) = equity {
                summary.weight = summary.weight + weight.into();
                summary.weighted_equity = summary.weighted_equity + R::from(weight) * equity;
            }
        }
        summary
    }
}

/// Solves the loop of null scores: the equities of a board for its thrower, and for
/// the opponent if the opponent throws. None if neither side can move.
///
/// A null score passes the sticks, and a score without moves is thrown again.
/// So with the summaries (*a*, *A*) and (*b*, *B*) of weight and weighted equity
/// the equities *x* and *y* satisfy `(10 + a) x = A - 10 y` and
/// `(10 + b) y = B - 10 x`.
pub(super) fn solve_pass_loop<R: Real>(
    own: ThrowSummary<R>,
    opponent: ThrowSummary<R>,
) -> Option<[R; 2]> {
    let pass = R::from(PASS_WEIGHT);
    let (p, q) = (pass + own.weight, pass + opponent.weight);
    let determinant = p * q - pass * pass;
    (determinant > R::default()).then(|| {
        [
            (q * own.weighted_equity - pass * opponent.weighted_equity) / determinant,
            (p * opponent.weighted_equity - pass * own.weighted_equity) / determinant,
        ]
    })
}

/// The throws, each as often as of 16: the index of its score in [`SCORES`], or none for a
/// null score. Null scores come first.
const THROWN: [Option<usize>; 16] = {
    let mut thrown = [None; 16];
    let (mut at, mut score) = (score_weight(0) as usize, 0);
    while score < SCORES.len() {
        let end = at + score_weight(SCORES[score].0) as usize;
        while at < end {
            thrown[at] = Some(score);
            at += 1;
        }
        score += 1;
    }
    thrown
};

/// Throws until one side can use a score. Returns the side (0 is the first
/// thrower) and the index of the score in [`SCORES`].
///
/// `usable` says which scores each side can use. Never returns if there is none.
pub(super) fn throw_until_usable(rng: &mut ChaCha8Rng, usable: [[bool; 3]; 2]) -> (usize, usize) {
    let mut thrower = 0;
    loop {
        let Some(score) = THROWN[rng.random_range(0..16_u32) as usize] else {
            thrower = 1 - thrower;
            continue;
        };
        if usable[thrower][score] {
            return (thrower, score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thrower_scores_first_more_often() {
        // Both win with any score: with the first throw in 6 of 16 cases, or after two
        // null scores.
        let won = ThrowSummary::of([Some(1.0f32); 3]);
        let [x, y] = solve_pass_loop(won, won).unwrap();
        let first = 6.0 / 16.0 / (1.0 - 100.0 / 256.0);
        assert!((x - (2.0 * first - 1.0)).abs() < 1e-6 && (x - y).abs() < 1e-6, "{x} {y}");
    }

    #[test]
    fn a_side_without_moves_waits_for_the_other() {
        let stuck = ThrowSummary::of([None::<f32>; 3]);
        let mobile = ThrowSummary::of([None, Some(0.5), None]);
        let [x, y] = solve_pass_loop(stuck, mobile).unwrap();
        assert!((x + 0.5).abs() < 1e-6 && (y - 0.5).abs() < 1e-6, "{x} {y}");
        assert_eq!(solve_pass_loop(stuck, stuck), None);
    }
}
