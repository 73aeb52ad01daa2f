//! TD(λ) self-play training of the evaluation network.
//!
//! The look-ahead of one throw, with null scores solved, evaluates a position
//! better than the network alone. It is the training target, corrected by a
//! share λ of the difference between the next position's target and the equity
//! that the look-ahead gave it. Throws are averaged instead of sampled where that
//! is free, so targets have little variance and few games suffice.
//!
//! Architecture invariant: one thread, one generator, no clock. The same seed and
//! number of games give the same weights.
//!
//! Sources: R. Sutton, "Learning to predict by the methods of temporal
//! differences" (1988); G. Tesauro, "Temporal difference learning and
//! TD-Gammon" (1995).

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use super::{
    board::{Board, PASS_WEIGHT, SCORES},
    features::{Inputs, inputs},
    learner::{Learner, TrainingSample},
    network::Network,
    throws::{BestMove, ThrowSummary, best_moves, solve_pass_loop, throw_until_usable},
};
use tabulae_games::tablan::Rules;

/// Games per optimiser step.
const BATCH_GAMES: u64 = 8;
/// The first learning rate; it decays exponentially to [`LAST_RATE`].
const FIRST_RATE: f32 = 2e-3;
const LAST_RATE: f32 = 3e-5;
/// λ of the first game, and of the last three quarters; linear between.
const LAMBDA: [f32; 2] = [0.9, 0.4];
/// Of this many games, one begins with random moves and in another one side
/// blunders, so that the network sees positions that sound players avoid.
const EXPLORATORY_GAME_INTERVAL: u32 = 4;
/// Exclusive maximum of random moves at the start of a game.
const MAX_RANDOM_OPENING: u32 = 60;
/// Percentage of moves that a player makes at random in all other games.
const EXPLORATION_PERCENT: u32 = 2;

/// A training run of a network by self-play.
#[derive(Debug)]
pub struct Training {
    ordered: bool,
    games: u64,
    games_played: u64,
    learner: Learner,
    rng: ChaCha8Rng,
}

/// One position of a training game. Pairs hold values for two views of the position:
/// first the side that threw, then the other as if it were the one to throw.
struct Transition {
    inputs: [Inputs; 2],
    /// The equities by the look-ahead of one throw.
    lookahead: [f32; 2],
    /// The equity that the look-ahead gave to the next position.
    expected: f32,
    /// The weight of the TD correction for each view, an importance-sampling ratio:
    /// how much likelier the next position is if this side throws first than if the
    /// actual thrower does. Negative if `expected` is the opponent's equity, 0 after
    /// an exploring move.
    correction_weights: [f32; 2],
}

/// The TD(λ) backward pass over a game: the samples of both views of each
/// position, last position first. `result` is the first view's.
fn td_samples(transitions: &[Transition], result: f32, lambda: f32) -> Vec<[TrainingSample; 2]> {
    let mut next_target = result;
    let backward = transitions.iter().rev().map(|transition| {
        let correction = lambda * (next_target - transition.expected);
        let targets = [0, 1].map(|view| {
            transition.lookahead[view] + correction * transition.correction_weights[view]
        });
        next_target = targets[0];
        [0, 1].map(|view| TrainingSample { inputs: transition.inputs[view], target: targets[view] })
    });
    backward.collect()
}

/// A self-play game in progress.
struct SelfPlay {
    /// From the view of the side that throws.
    board: Board,
    /// The number of the player who throws: 0 or 1.
    thrower: usize,
    /// For each player the percentage of exploring moves.
    exploration_percent: [u32; 2],
    /// Whether exploring moves are greedy instead of random.
    explores_greedily: bool,
    transitions: Vec<Transition>,
}

impl Training {
    /// A self-play run that starts from random weights. The same seed and number
    /// of games make the same network.
    pub fn new(rules: &Rules, seed: u64, games: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut network = Network::zeroed();
        for weight in network.input_weights.iter_mut().flatten() {
            *weight = rng.random_range(-0.1..0.1);
        }
        for weight in &mut network.output_weights {
            *weight = rng.random_range(-0.2..0.2);
        }
        Self {
            ordered: rules.ordered_entry,
            games,
            games_played: 0,
            learner: Learner::new(network),
            rng,
        }
    }

    /// Plays up to `games` more games, rounded up to full batches. Returns false once
    /// the run is complete.
    pub fn train(&mut self, games: u64) -> bool {
        let until = self.games_played.saturating_add(games).min(self.games);
        while self.games_played < until {
            let progress = self.games_played as f32 / self.games as f32;
            let lambda = LAMBDA[0] + (LAMBDA[1] - LAMBDA[0]) * (4.0 * progress).min(1.0);
            let batch = BATCH_GAMES.min(self.games - self.games_played);
            let rate = FIRST_RATE * libm::powf(LAST_RATE / FIRST_RATE, progress);
            let mut samples = Vec::new();
            for _ in 0..batch {
                samples.extend(self.play(lambda).into_iter().flatten());
            }
            self.games_played += batch;
            self.learner.train(&samples, rate);
        }
        self.games_played < self.games
    }

    /// Games played so far.
    pub const fn games_played(&self) -> u64 {
        self.games_played
    }

    /// The recent root-mean-square error of the network against its targets, in
    /// equity.
    pub fn rms_error(&self) -> f32 {
        self.learner.mean_squared_error.sqrt()
    }

    /// The weights so far in the engine's file format.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.learner.network.to_bytes()
    }

    /// Plays a self-play game and returns its samples, last position first.
    fn play(&mut self, lambda: f32) -> Vec<[TrainingSample; 2]> {
        let mut game = self.new_game();
        let result = loop {
            if let Some(result) = game.play_turn(&self.learner.network, &mut self.rng) {
                break result;
            }
        };
        td_samples(&game.transitions, result, lambda)
    }

    /// A game from the start position, or an exploratory one.
    fn new_game(&mut self) -> SelfPlay {
        let mut game = SelfPlay {
            board: Board::start(self.ordered),
            thrower: 0,
            exploration_percent: [EXPLORATION_PERCENT; 2],
            explores_greedily: false,
            transitions: Vec::new(),
        };
        match self.rng.random_range(0..EXPLORATORY_GAME_INTERVAL) {
            0 => game.board = self.random_opening(game.board),
            1 => {
                let percent = self.rng.random_range(20..=100);
                game.exploration_percent[self.rng.random_range(0..2)] = percent;
                game.explores_greedily = self.rng.random_range(0..2) == 0;
            }
            _ => {}
        }
        game
    }

    /// The board after some random moves; the start if the game ends in them.
    fn random_opening(&mut self, start: Board) -> Board {
        let mut board = start;
        for _ in 0..self.rng.random_range(1..MAX_RANDOM_OPENING) {
            let sides = [board, board.swap_sides()];
            let usable = sides.map(|side| SCORES.map(|(score, _)| side.can_move(score)));
            if usable == [[false; 3]; 2] {
                return start;
            }
            let (scorer, score) = throw_until_usable(&mut self.rng, usable);
            match random_successor(&mut self.rng, sides[scorer], SCORES[score].0) {
                Some(after) if after.result().is_none() => board = after,
                _ => return start,
            }
        }
        board
    }
}

impl SelfPlay {
    /// Throws until a side can move, and moves. Returns the result for the side
    /// that throws next when the game is over.
    fn play_turn(&mut self, network: &Network, rng: &mut ChaCha8Rng) -> Option<f32> {
        let sides = [self.board, self.board.swap_sides()];
        let accumulators = sides.map(|side| network.accumulate(inputs(side)));
        let moves = [0, 1].map(|at| best_moves(network, sides[at], &accumulators[at]));
        let summaries =
            moves.map(|moves| ThrowSummary::of(moves.map(|best| best.map(BestMove::equity))));
        let Some(lookahead) = solve_pass_loop(summaries[0], summaries[1]) else {
            // Neither side will ever move again.
            return Some(self.board.arrivals_result());
        };
        let usable = moves.map(|moves| moves.map(|best| best.is_some()));
        let (scorer, score) = throw_until_usable(rng, usable);
        let Some(best) = moves[scorer][score] else { return Some(0.0) };
        let (mut after, mut correction_weights) = (best.after, [0.0; 2]);
        self.thrower = (self.thrower + scorer) % 2;
        if rng.random_range(0..100) < self.exploration_percent[self.thrower] {
            let explore = if self.explores_greedily { greedy_successor } else { random_successor };
            after = explore(rng, sides[scorer], SCORES[score].0).unwrap_or(after);
        } else {
            // The chance that this side scores next depends on who throws first.
            correction_weights = if scorer == 0 {
                [1.0, -PASS_WEIGHT / (PASS_WEIGHT + summaries[1].weight)]
            } else {
                [-1.0, (PASS_WEIGHT + summaries[0].weight) / PASS_WEIGHT]
            };
        }
        self.transitions.push(Transition {
            inputs: accumulators.map(|accumulator| accumulator.inputs),
            lookahead,
            expected: best.equity(),
            correction_weights,
        });
        self.board = after;
        after.result()
    }
}

/// A successor drawn at random; none if the score has no moves.
fn random_successor(rng: &mut ChaCha8Rng, board: Board, score: u8) -> Option<Board> {
    let successors = board.successors(score);
    (!successors.is_empty()).then(|| successors[rng.random_range(0..successors.len())])
}

/// The successor of a greedy move; draws nothing.
fn greedy_successor(_: &mut ChaCha8Rng, board: Board, score: u8) -> Option<Board> {
    board.successors(score).into_iter().max_by_key(|after| after.greedy_key(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::tablan::{ORDERED, PLAIN};

    #[test]
    fn the_same_seed_trains_the_same_network() {
        let bytes = |rules, seed| {
            let mut training = Training::new(rules, seed, 10);
            while training.train(4) {}
            assert_eq!(training.games_played(), 10);
            training.to_bytes()
        };
        for rules in [PLAIN, ORDERED] {
            assert_eq!(bytes(rules, 1), bytes(rules, 1));
            assert_ne!(bytes(rules, 1), bytes(rules, 2));
        }
    }

    #[test]
    fn a_game_has_a_sample_for_both_views_of_every_position() {
        let mut training = Training::new(ORDERED, 4, 1);
        let samples = training.play(0.5);
        assert!(samples.len() > 30, "{}", samples.len());
        assert!(samples.iter().flatten().all(|sample| sample.target.abs() < 2.0));
    }
}
