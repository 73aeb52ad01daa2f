//! Training games against a player of a weak [`Style`], to learn the best response
//! to it.
//!
//! They work as in [`super::training`], but the two sides play differently, so
//! the equity of a board depends on who throws it. Two networks learn: one for
//! the learner's throws and one for the opponent's. The learner's best move is
//! searched, and the opponent's possible moves are averaged.

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    board::{Board, PASS_WEIGHT, SCORES},
    features::inputs,
    learner::{Learner, TrainingSample},
    network::{Accumulator, Network, equity_of},
    opponent_model::Style,
    throws::{
        BestMove, ThrowSummary, average_equity, best_moves, evaluate_raw, solve_pass_loop,
        throw_until_usable,
    },
    training::{EXPLORATION_PERCENT, Transition, random_successor, td_samples},
};

/// The opponent of the training games.
#[derive(Debug)]
pub(super) struct SparringPartner {
    pub(super) style: Style,
    /// Learns the equity of boards for the partner when it throws.
    pub(super) learner: Learner,
}

/// The partner's move with a score.
#[derive(Clone, Copy)]
struct PartnerMove {
    /// The board after it, drawn from the possible moves.
    after: Board,
    /// Its equity for the partner.
    equity: f32,
    /// The average equity of the possible moves.
    average: f32,
}

/// A game in progress.
struct SparringGame<'a> {
    partner: &'a SparringPartner,
    /// The learner's network.
    network: &'a Network,
    /// From the learner's view.
    board: Board,
    /// Who throws: 0 is the learner, 1 the partner.
    thrower: usize,
    transitions: Vec<Transition>,
}

impl SparringPartner {
    /// Plays a game against the learner's network. Returns the samples of the
    /// learner and of the partner for each position, last position first.
    pub(super) fn play(
        &self,
        network: &Network,
        ordered: bool,
        lambda: f32,
        rng: &mut ChaCha8Rng,
    ) -> Vec<[TrainingSample; 2]> {
        let mut game = SparringGame {
            partner: self,
            network,
            board: Board::start(ordered),
            thrower: rng.random_range(0..2),
            transitions: Vec::new(),
        };
        let result = loop {
            if let Some(result) = game.play_turn(rng) {
                break result;
            }
        };
        td_samples(&game.transitions, result, lambda)
    }

    /// The partner's move with each score; none for a score without moves.
    fn moves(
        &self,
        board: Board,
        parent: &Accumulator,
        rng: &mut ChaCha8Rng,
    ) -> [Option<PartnerMove>; 3] {
        SCORES.map(|(score, _)| {
            let choices = self.style.choices(board, score);
            if choices.is_empty() {
                return None;
            }
            let network = &self.learner.network;
            let after = choices[rng.random_range(0..choices.len())];
            let equity = equity_of(evaluate_raw(network, parent, after));
            Some(PartnerMove { after, equity, average: average_equity(network, parent, &choices) })
        })
    }
}

impl SparringGame<'_> {
    /// Throws until a side can move, and moves. Returns the learner's result
    /// when the game is over.
    fn play_turn(&mut self, rng: &mut ChaCha8Rng) -> Option<f32> {
        let sides = [self.board, self.board.swap_sides()];
        let accumulators = [
            self.network.accumulate(inputs(sides[0])),
            self.partner.learner.network.accumulate(inputs(sides[1])),
        ];
        let own = best_moves(self.network, sides[0], &accumulators[0]);
        let partner_moves = self.partner.moves(sides[1], &accumulators[1], rng);
        let equities = [
            own.map(|best| best.map(BestMove::equity)),
            partner_moves.map(|mv| mv.map(|mv| mv.average)),
        ];
        let summaries = equities.map(ThrowSummary::of);
        let Some(lookahead) = solve_pass_loop(summaries[0], summaries[1]) else {
            // Neither side will ever move again.
            return Some(self.board.arrivals_result());
        };
        let usable = [0, 1].map(|at| equities[at ^ self.thrower].map(|equity| equity.is_some()));
        let (scorer, score) = throw_until_usable(rng, usable);
        let scorer = scorer ^ self.thrower;
        let mut weights = correction_weights(scorer, self.thrower, summaries);
        let expected;
        if scorer == 0 {
            let Some(best) = own[score] else { return Some(0.0) };
            self.board = best.after;
            expected = best.equity();
            if rng.random_range(0..100) < EXPLORATION_PERCENT {
                let explored = random_successor(rng, sides[0], SCORES[score].0);
                self.board = explored.unwrap_or(self.board);
                weights = [0.0; 2];
            }
        } else {
            let Some(chosen) = partner_moves[score] else { return Some(0.0) };
            self.board = chosen.after.swap_sides();
            expected = -chosen.equity;
        }
        self.transitions.push(Transition {
            inputs: accumulators.map(|accumulator| accumulator.inputs),
            lookahead,
            expected,
            correction_weights: weights,
            thrower_view: self.thrower,
        });
        self.thrower = scorer;
        self.board.result()
    }
}

/// The weights of a TD correction for both views: the ratio between the chance that
/// `scorer` scores next if that side throws first and the chance if `thrower` does
/// (importance sampling). The partner's weight is negative, because a correction
/// that is good for one side is bad for the other.
fn correction_weights(scorer: usize, thrower: usize, summaries: [ThrowSummary; 2]) -> [f32; 2] {
    // The chance that the scorer gets the sticks if the opponent throws first.
    let passed = PASS_WEIGHT / (PASS_WEIGHT + summaries[1 - scorer].weight);
    let chance = |first: usize| if first == scorer { 1.0 } else { passed };
    let [learner, partner] = [0, 1].map(|first| chance(first) / chance(thrower));
    [learner, -partner]
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::{super::builtin_network, *};

    /// The samples of a game in its order: the learner's and the partner's.
    fn samples(style: Style, ordered: bool, lambda: f32, seed: u64) -> Vec<[TrainingSample; 2]> {
        let network = builtin_network(ordered);
        let partner = SparringPartner { style, learner: Learner::new(network.clone()) };
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut samples = partner.play(network, ordered, lambda, rng);
        samples.reverse();
        samples
    }

    #[test]
    fn with_lambda_zero_targets_are_the_look_ahead() {
        for style in [Style::Greedy, Style::Random] {
            for ordered in [false, true] {
                let samples = samples(style, ordered, 0.0, 3);
                assert!(samples.len() > 20);
                let network = builtin_network(ordered);
                for [own, partner] in &samples {
                    let board = Board { own: own.inputs[0], opponent: own.inputs[1], ordered };
                    assert_eq!(partner.inputs, inputs(board.swap_sides()));
                    let value = |board: Board| {
                        board.result().unwrap_or_else(|| network.equity(inputs(board)))
                    };
                    let mut summaries = [ThrowSummary::<f32>::default(); 2];
                    for (score, weight) in SCORES {
                        let mine = board.successors(score).into_iter().map(value);
                        if let Some(best) = mine.max_by(f32::total_cmp) {
                            summaries[0].weight += weight;
                            summaries[0].weighted_equity += weight * best;
                        }
                        let choices = style.choices(board.swap_sides(), score);
                        if !choices.is_empty() {
                            let sum: f32 = choices.iter().copied().map(value).sum();
                            summaries[1].weight += weight;
                            summaries[1].weighted_equity += weight * sum / choices.len() as f32;
                        }
                    }
                    let lookahead = solve_pass_loop(summaries[0], summaries[1]).unwrap();
                    for (sample, expected) in [own, partner].into_iter().zip(lookahead) {
                        let target = sample.target;
                        assert!((target - expected).abs() < 1e-3, "{target} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn corrections_have_opposite_signs_for_the_two_sides() {
        for seed in 0..8 {
            let [before, after] =
                [0.0, 1.0].map(|lambda| samples(Style::Greedy, true, lambda, seed));
            assert_eq!(before.len(), after.len());
            let mut largest = 0.0f32;
            for (before, after) in before.iter().zip(&after) {
                let [own, partner] = [0, 1].map(|view| after[view].target - before[view].target);
                assert!(own * partner <= 0.0, "{own} {partner}");
                // Never much larger for one side than for the other.
                assert!(own.abs() <= 2.0 * partner.abs() && partner.abs() <= 2.0 * own.abs());
                largest = largest.max(own.abs());
            }
            assert!(largest > 0.1, "{largest}");
        }
    }

    #[test]
    fn correction_weights_depend_on_who_throws_first() {
        let summaries = [4.0, 6.0].map(|weight| ThrowSummary { weight, weighted_equity: 0.0 });
        let passed = [6.0, 4.0].map(|weight| PASS_WEIGHT / (PASS_WEIGHT + weight));
        assert_eq!(correction_weights(0, 0, summaries), [1.0, -passed[0]]);
        assert_eq!(correction_weights(1, 1, summaries), [passed[1], -1.0]);
        assert_eq!(correction_weights(0, 1, summaries), [1.0 / passed[0], -1.0]);
        assert_eq!(correction_weights(1, 0, summaries), [1.0, -1.0 / passed[1]]);
    }
}
