//! Learning to judge by playing against itself: temporal differences.
//!
//! In every position of a game the network's own look one throw ahead, with the
//! null scores solved, is a better judge than the network. That look is the
//! target, corrected by what the game went on to show: of the difference
//! between the next position's target and the worth the look had put on it, a
//! share (lambda) is handed back. The dice are averaged over, not sampled,
//! wherever that is free, so targets are quiet and few games teach much.
//!
//! Architecture invariant: one thread, one generator, no clock: the same seed
//! and number of games give the same weights.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use super::{
    features::{INPUTS, Inputs, inputs},
    network::{HIDDEN, Network, Units, each},
    state::{SCORES, State},
    throws::{Hopes, best_uses, through_nulls},
};
use crate::games::tablan::Rules;

/// Games between two steps of the weights.
const BATCH: u64 = 8;
/// The first step's size; they shrink to [`LAST_RATE`].
const FIRST_RATE: f32 = 2e-3;
const LAST_RATE: f32 = 3e-5;
/// The share of what is shown later that is handed back, first and last.
const LAMBDA: [f32; 2] = [0.9, 0.4];
/// Of so many games one begins with random moves, as many as this at most, and
/// in one a side plays poorly all along: the network should know boards that
/// two good players never see.
const ODD_GAMES: u32 = 4;
const ODD_MOVES: u32 = 60;
/// How often of a hundred moves an ordinary player's is drawn at random.
const SLIPS: u32 = 2;

/// A run of self-play that teaches a network.
#[derive(Debug)]
pub struct Training {
    ordered: bool,
    games: u64,
    played: u64,
    network: Network,
    slopes: Slopes,
    rng: ChaCha8Rng,
    error: f32,
}

/// What a position should have been judged.
struct Lesson {
    inputs: Inputs,
    target: f32,
}

/// One position of a game as the learner remembers it.
struct Moment {
    /// The inputs with the one and with the other side throwing.
    inputs: [Inputs; 2],
    /// What the look ahead says of these.
    looks: [f32; 2],
    /// What it put on the position that came next.
    expected: f32,
    /// How much more or less likely that position was for each of the two, with
    /// the sign it has for them; 0 where the move was not the chosen one.
    shares: [f32; 2],
}

impl Training {
    /// Before the first game.
    #[must_use]
    pub fn new(rules: &Rules, seed: u64, games: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut network = Network::blank();
        for weight in network.rows.iter_mut().flatten() {
            *weight = rng.random_range(-0.1..0.1);
        }
        for weight in &mut network.out {
            *weight = rng.random_range(-0.2..0.2);
        }
        Self {
            ordered: rules.ordered_entry,
            games,
            played: 0,
            network,
            slopes: Slopes::new(),
            rng,
            error: 0.0,
        }
    }

    /// Plays on for at most this many games; false once all have been played.
    pub fn play(&mut self, games: u64) -> bool {
        let until = self.played.saturating_add(games).min(self.games);
        while self.played < until {
            let progress = self.played as f32 / self.games as f32;
            let lambda = LAMBDA[0] + (LAMBDA[1] - LAMBDA[0]) * (4.0 * progress).min(1.0);
            let batch = BATCH.min(self.games - self.played);
            let mut lessons = Vec::new();
            for _ in 0..batch {
                self.game(lambda, &mut lessons);
            }
            self.played += batch;
            self.learn(&lessons, FIRST_RATE * (LAST_RATE / FIRST_RATE).powf(progress));
        }
        self.played < self.games
    }

    /// Games played so far.
    #[must_use]
    pub const fn played(&self) -> u64 {
        self.played
    }

    /// How far judgements have lately been off their targets: the root of the
    /// mean square, in equity.
    #[must_use]
    pub fn error(&self) -> f32 {
        self.error.sqrt()
    }

    /// The weights so far, as the engine's file has them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.network.to_bytes()
    }

    /// Plays a game and adds its lessons.
    fn game(&mut self, lambda: f32, lessons: &mut Vec<Lesson>) {
        let mut state = State::start(self.ordered);
        // How often of a hundred moves each player does not choose for himself,
        // the one who throws in `state` being number `thrower`.
        let (mut slips, mut thrower, mut snatches) = ([SLIPS; 2], 0, false);
        match self.rng.random_range(0..ODD_GAMES) {
            0 => state = self.wander(state),
            1 => {
                slips[self.rng.random_range(0..2)] = self.rng.random_range(20..=100);
                snatches = self.rng.random_range(0..2) == 0;
            }
            _ => {}
        }
        let (mut moments, mut last) = (Vec::new(), None);
        while last.is_none() {
            let sides = [state, state.turned()];
            let layers = sides.map(|side| self.network.layer(inputs(side)));
            let uses = [0, 1].map(|at| best_uses(&self.network, sides[at], &layers[at]));
            let hopes =
                uses.map(|uses| Hopes::of(uses.map(|one| one.map(super::throws::Use::value))));
            let Some(looks) = through_nulls(hopes[0], hopes[1]) else {
                // Nobody will ever move again.
                last = Some(state.standing());
                break;
            };
            let (scorer, score) = self.throw(uses.map(|uses| uses.map(|one| one.is_some())));
            let Some(chosen) = uses[scorer][score] else { break };
            let (mut after, mut shares) = (chosen.after, [0.0; 2]);
            thrower = (thrower + scorer) % 2;
            if self.rng.random_range(0..100) < slips[thrower] {
                after = self.any_use(sides[scorer], SCORES[score].0, snatches).unwrap_or(after);
            } else {
                // The chance that it is this side who scores next depends on
                // who throws first.
                shares = if scorer == 0 {
                    [1.0, -10.0 / (10.0 + hopes[1].weight)]
                } else {
                    [-1.0, (10.0 + hopes[0].weight) / 10.0]
                };
            }
            let [own, enemy] = layers.map(|layer| layer.inputs);
            moments.push(Moment { inputs: [own, enemy], looks, expected: chosen.value(), shares });
            last = after.result();
            state = after;
        }
        // Backwards: what came to light, for whoever threw at that moment.
        let mut shown = last.unwrap_or(0.0);
        for moment in moments.iter().rev() {
            let news = lambda * (shown - moment.expected);
            let targets = [0, 1].map(|at| moment.looks[at] + news * moment.shares[at]);
            lessons.extend(
                moment
                    .inputs
                    .into_iter()
                    .zip(targets)
                    .map(|(inputs, target)| Lesson { inputs, target }),
            );
            shown = targets[0];
        }
    }

    /// Throws until somebody can use a score: who (0 for the first thrower), and
    /// which.
    fn throw(&mut self, usable: [[bool; 3]; 2]) -> (usize, usize) {
        let mut thrower = 0;
        loop {
            let score = match self.rng.random_range(0..16) {
                0..10 => {
                    thrower = 1 - thrower;
                    continue;
                }
                10..14 => 0,
                14 => 1,
                _ => 2,
            };
            if usable[thrower][score] {
                return (thrower, score);
            }
        }
    }

    /// A use chosen without thought: any, or one that takes most, brings most
    /// home and goes furthest.
    fn any_use(&mut self, state: State, score: u8, snatches: bool) -> Option<State> {
        let mut all = Vec::new();
        state.each_use(score, |after| all.push(after));
        if snatches {
            return all.into_iter().max_by_key(|after| after.greed(state));
        }
        (!all.is_empty()).then(|| all[self.rng.random_range(0..all.len())])
    }

    /// A board after some random moves.
    fn wander(&mut self, start: State) -> State {
        let mut state = start;
        for _ in 0..self.rng.random_range(1..ODD_MOVES) {
            let usable =
                [state, state.turned()].map(|side| SCORES.map(|(score, _)| side.can_use(score)));
            if usable == [[false; 3]; 2] {
                return start;
            }
            let (scorer, score) = self.throw(usable);
            let side = if scorer == 0 { state } else { state.turned() };
            match self.any_use(side, SCORES[score].0, false) {
                Some(after) if after.result().is_none() => state = after,
                _ => return start,
            }
        }
        state
    }

    /// Moves the weights a step towards the lessons.
    fn learn(&mut self, lessons: &[Lesson], rate: f32) {
        let mut squares = 0.0;
        for lesson in lessons {
            let layer = self.network.layer(lesson.inputs);
            let off = self.network.sum(&layer.sums).tanh() - lesson.target;
            squares += off * off;
            self.slopes.add(&self.network, lesson.inputs, &layer.sums, off);
        }
        let count = lessons.len().max(1) as f32;
        self.error += (squares / count - self.error) * 0.01;
        self.slopes.step(&mut self.network, rate, 1.0 / count);
    }
}

/// The slopes of the error along every weight, and what Adam remembers of them
/// (Kingma and Ba, 2015). Rows that no lesson has touched rest.
#[derive(Debug)]
struct Slopes {
    rows: Vec<Row>,
    touched: Vec<bool>,
    base: Row,
    out: Row,
    rest: [f32; 3],
    steps: i32,
}

#[derive(Clone, Debug)]
struct Row {
    slope: Units,
    mean: Units,
    square: Units,
}

impl Row {
    const fn new() -> Self {
        Self { slope: [0.0; HIDDEN], mean: [0.0; HIDDEN], square: [0.0; HIDDEN] }
    }

    fn step(&mut self, weights: &mut Units, stride: Stride) {
        for (at, weight) in weights.iter_mut().enumerate() {
            stride.step(weight, [&mut self.slope[at], &mut self.mean[at], &mut self.square[at]]);
        }
    }
}

/// One step of Adam, its corrections for the first steps worked in.
#[derive(Clone, Copy)]
struct Stride {
    rate: f32,
    scale: f32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Stride {
    fn step(self, weight: &mut f32, [slope, mean, square]: [&mut f32; 3]) {
        let now = *slope * self.scale;
        *slope = 0.0;
        *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * now;
        *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * now * now;
        *weight -= self.rate * *mean / (square.sqrt() + 1e-8);
    }
}

impl Slopes {
    fn new() -> Self {
        Self {
            rows: vec![Row::new(); INPUTS],
            touched: vec![false; INPUTS],
            base: Row::new(),
            out: Row::new(),
            rest: [0.0; 3],
            steps: 0,
        }
    }

    /// Adds a lesson that the network is `off` by. The slope at the sum is the
    /// error itself, as with cross-entropy: it does not die where tanh is flat.
    fn add(&mut self, network: &Network, inputs: Inputs, sums: &Units, off: f32) {
        let mut inner = [0.0; HIDDEN];
        for at in 0..HIDDEN {
            let alive = sums[at] > 0.0;
            inner[at] = if alive { off * network.out[at] } else { 0.0 };
            self.out.slope[at] += off * sums[at].max(0.0);
            self.base.slope[at] += inner[at];
        }
        self.rest[0] += off;
        each(inputs, |input| {
            self.touched[input] = true;
            for (slope, inner) in self.rows[input].slope.iter_mut().zip(&inner) {
                *slope += inner;
            }
        });
    }

    fn step(&mut self, network: &mut Network, rate: f32, scale: f32) {
        self.steps = self.steps.saturating_add(1);
        let young = |decay: f32| 1.0 - decay.powi(self.steps);
        let rate = rate * young(SQUARE_DECAY).sqrt() / young(MEAN_DECAY);
        let stride = Stride { rate, scale };
        for (input, touched) in self.touched.iter_mut().enumerate() {
            if std::mem::take(touched) {
                self.rows[input].step(&mut network.rows[input], stride);
            }
        }
        self.base.step(&mut network.base, stride);
        self.out.step(&mut network.out, stride);
        let [slope, mean, square] = &mut self.rest;
        stride.step(&mut network.rest, [slope, mean, square]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tablan::{ORDERED, PLAIN};

    #[test]
    fn the_same_seed_teaches_the_same() {
        let bytes = |rules, seed| {
            let mut training = Training::new(rules, seed, 10);
            while training.play(4) {}
            assert_eq!(training.played(), 10);
            training.to_bytes()
        };
        for rules in [PLAIN, ORDERED] {
            assert_eq!(bytes(rules, 1), bytes(rules, 1));
            assert_ne!(bytes(rules, 1), bytes(rules, 2));
        }
    }

    #[test]
    fn what_is_taught_is_learnt() {
        let mut training = Training::new(PLAIN, 3, 1);
        let boards = [(0xfff, 0xfff), (0xfff, 0xff), (0xff_000, 0xfff), (7, 0xfff_000)];
        let lessons: Vec<_> = boards
            .into_iter()
            .zip([0.0, 0.4, 0.7, -0.9])
            .map(|((own, enemy), target)| Lesson {
                inputs: inputs(State { own, enemy, ordered: false }),
                target,
            })
            .collect();
        for _ in 0..300 {
            training.learn(&lessons, 0.01);
        }
        let network = &training.network;
        for lesson in &lessons {
            let judged = network.sum(&network.layer(lesson.inputs).sums).tanh();
            assert!((judged - lesson.target).abs() < 0.02, "{judged} {}", lesson.target);
        }
    }

    #[test]
    fn a_game_teaches_both_views_of_every_position() {
        let mut training = Training::new(ORDERED, 4, 1);
        let mut lessons = Vec::new();
        training.game(0.5, &mut lessons);
        assert!(lessons.len() > 60 && lessons.len().is_multiple_of(2), "{}", lessons.len());
        assert!(lessons.iter().all(|lesson| lesson.target.abs() < 2.0));
    }
}
