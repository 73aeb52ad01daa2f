//! Learning to judge by playing against itself: temporal differences.
//!
//! In every position of a game the network's own look one throw ahead, with the
//! null scores solved, is a better judge than the network. That look is the
//! target, corrected by what the game went on to show: of the difference
//! between the next position's target and the worth the look had put on it, a
//! share (lambda) is handed back. The dice are averaged over, not sampled,
//! wherever that is free, so targets are quiet and few games teach much.
//!
//! In the same way it learns what a player who is not sound can be made to pay:
//! see [`super::replies`].
//!
//! Architecture invariant: one thread, one generator, no clock: the same seed
//! and number of games give the same weights.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use super::{
    features::{Inputs, inputs},
    learner::{Learner, Lesson},
    network::Network,
    replies::Partner,
    rival::Style,
    state::{NULL, SCORES, State},
    throws::{Hopes, best_uses, through_nulls, throw},
    weights,
};
use crate::games::tablan::Rules;

/// Games between two steps of the weights.
const BATCH: u64 = 8;
/// The first step's size; they shrink to [`LAST_RATE`].
const FIRST_RATE: f32 = 2e-3;
/// The same where the weights know the game already.
const FIRST_RATE_ON: f32 = 1e-3;
const LAST_RATE: f32 = 3e-5;
/// The share of what is shown later that is handed back, first and last.
const LAMBDA: [f32; 2] = [0.9, 0.4];
/// Of so many games one begins with random moves, as many as this at most, and
/// in one a side plays poorly all along: the network should know boards that
/// two good players never see.
const ODD_GAMES: u32 = 4;
const ODD_MOVES: u32 = 60;
/// How often of a hundred moves an ordinary player's is drawn at random.
pub(super) const SLIPS: u32 = 2;

/// A run of games that teaches a network, or two.
#[derive(Debug)]
pub struct Training {
    ordered: bool,
    games: u64,
    played: u64,
    learner: Learner,
    /// Who is played against, where it is not the network itself.
    partner: Option<Partner>,
    rng: ChaCha8Rng,
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
            learner: Learner::new(network),
            partner: None,
            rng,
        }
    }

    /// Before the first game against a player of this style, with the weights
    /// that come with the program.
    ///
    /// Two networks learn: what a board is worth for the learner who throws,
    /// and what it is worth for the other if that one does.
    #[must_use]
    pub fn against(style: Style, rules: &Rules, seed: u64, games: u64) -> Self {
        let ordered = rules.ordered_entry;
        let learner = || Learner::new(weights(ordered).clone());
        Self {
            ordered,
            games,
            played: 0,
            learner: learner(),
            partner: Some(Partner { style, learner: learner() }),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Plays on for at most this many games; false once all have been played.
    pub fn play(&mut self, games: u64) -> bool {
        let until = self.played.saturating_add(games).min(self.games);
        while self.played < until {
            let progress = self.played as f32 / self.games as f32;
            let lambda = LAMBDA[0] + (LAMBDA[1] - LAMBDA[0]) * (4.0 * progress).min(1.0);
            let batch = BATCH.min(self.games - self.played);
            let first = if self.partner.is_some() { FIRST_RATE_ON } else { FIRST_RATE };
            let rate = first * (LAST_RATE / first).powf(progress);
            let mut lessons = Vec::new();
            if let Some(partner) = &mut self.partner {
                let mut theirs = Vec::new();
                for _ in 0..batch {
                    let (network, ordered) = (&self.learner.network, self.ordered);
                    let lessons = [&mut lessons, &mut theirs];
                    partner.game(network, ordered, lambda, &mut self.rng, lessons);
                }
                partner.learner.learn(&theirs, rate);
            } else {
                for _ in 0..batch {
                    self.game(lambda, &mut lessons);
                }
            }
            self.played += batch;
            self.learner.learn(&lessons, rate);
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
        self.learner.error.sqrt()
    }

    /// The weights so far, as the engine's file has them: one network, or the
    /// learner's and after it the other's.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.learner.network.to_bytes();
        bytes.extend(self.partner.iter().flat_map(|partner| partner.learner.network.to_bytes()));
        bytes
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
        let network = &self.learner.network;
        let (mut moments, mut last) = (Vec::new(), None);
        while last.is_none() {
            let sides = [state, state.turned()];
            let layers = sides.map(|side| network.layer(inputs(side)));
            let uses = [0, 1].map(|at| best_uses(network, sides[at], &layers[at]));
            let hopes =
                uses.map(|uses| Hopes::of(uses.map(|one| one.map(super::throws::Use::value))));
            let Some(looks) = through_nulls(hopes[0], hopes[1]) else {
                // Nobody will ever move again.
                last = Some(state.standing());
                break;
            };
            let (scorer, score) =
                throw(&mut self.rng, uses.map(|uses| uses.map(|one| one.is_some())));
            let Some(chosen) = uses[scorer][score] else { break };
            let (mut after, mut shares) = (chosen.after, [0.0; 2]);
            thrower = (thrower + scorer) % 2;
            if self.rng.random_range(0..100) < slips[thrower] {
                after = any_use(&mut self.rng, sides[scorer], SCORES[score].0, snatches)
                    .unwrap_or(after);
            } else {
                // The chance that it is this side who scores next depends on
                // who throws first.
                shares = if scorer == 0 {
                    [1.0, -NULL / (NULL + hopes[1].weight)]
                } else {
                    [-1.0, (NULL + hopes[0].weight) / NULL]
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

    /// A board after some random moves.
    fn wander(&mut self, start: State) -> State {
        let mut state = start;
        for _ in 0..self.rng.random_range(1..ODD_MOVES) {
            let usable =
                [state, state.turned()].map(|side| SCORES.map(|(score, _)| side.can_use(score)));
            if usable == [[false; 3]; 2] {
                return start;
            }
            let (scorer, score) = throw(&mut self.rng, usable);
            let side = if scorer == 0 { state } else { state.turned() };
            match any_use(&mut self.rng, side, SCORES[score].0, false) {
                Some(after) if after.result().is_none() => state = after,
                _ => return start,
            }
        }
        state
    }
}

/// A use chosen without thought: any, or one that takes most, brings most
/// home and goes furthest.
pub(super) fn any_use(
    rng: &mut ChaCha8Rng,
    state: State,
    score: u8,
    snatches: bool,
) -> Option<State> {
    let all = state.uses(score);
    if snatches {
        return all.into_iter().max_by_key(|after| after.greed(state));
    }
    (!all.is_empty()).then(|| all[rng.random_range(0..all.len())])
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
    fn games_against_a_style_teach_two_networks() {
        let bytes = |style| {
            let mut training = Training::against(style, ORDERED, 1, 10);
            while training.play(4) {}
            training.to_bytes()
        };
        let greedy = bytes(Style::Greedy);
        let (own, theirs) = greedy.split_at(greedy.len() / 2);
        let [own, theirs] = [own, theirs].map(|bytes| Network::read(bytes).unwrap());
        assert!(own != theirs && own != *weights(true) && theirs != *weights(true));
        assert_eq!(greedy, bytes(Style::Greedy));
        assert_ne!(greedy, bytes(Style::Random));
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
