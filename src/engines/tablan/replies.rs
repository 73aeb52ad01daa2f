//! Learning what pays against a player who is not sound.
//!
//! Games as in [`super::learning`], but the other side plays in a [`Style`]:
//! what a board is worth is then no longer the same for both, and two networks
//! learn, one for the learner's throws and one for the other's. The learner's
//! best use is sought, the other's choices are averaged over.

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    features::{Inputs, inputs},
    learner::{Learner, Lesson},
    learning::{SLIPS, any_use},
    network::{Layer, Network},
    rival::Style,
    state::{NULL, SCORES, State},
    throws::{Hopes, Use, average, best_uses, judge, through_nulls, throw},
};

/// Who is played against.
#[derive(Debug)]
pub(super) struct Partner {
    pub(super) style: Style,
    /// What a board is worth for him when he throws.
    pub(super) learner: Learner,
}

/// One position of a game; pairs are for the learner and for the partner, each
/// as if it were the one to throw, and in his own view.
struct Moment {
    inputs: [Inputs; 2],
    /// What the look ahead says.
    looks: [f32; 2],
    /// What the networks put on the position that came next, for the learner.
    expected: f32,
    /// How much more or less likely that position was than it is with the one
    /// who threw, with the sign it has.
    shares: [f32; 2],
    /// Who threw.
    thrower: usize,
}

/// A score as the partner uses it.
#[derive(Clone, Copy)]
struct Drawn {
    /// One of his choices.
    after: State,
    /// What that is worth for him.
    worth: f32,
    /// What his choices are worth on average.
    average: f32,
}

impl Partner {
    /// Plays a game against this network and adds the lessons for both.
    pub(super) fn game(
        &self,
        network: &Network,
        ordered: bool,
        lambda: f32,
        rng: &mut ChaCha8Rng,
        lessons: [&mut Vec<Lesson>; 2],
    ) {
        let (mut state, mut thrower) = (State::start(ordered), rng.random_range(0..2));
        let (mut moments, mut last) = (Vec::new(), None);
        while last.is_none() {
            let sides = [state, state.turned()];
            let layers =
                [network.layer(inputs(sides[0])), self.learner.network.layer(inputs(sides[1]))];
            let uses = best_uses(network, state, &layers[0]);
            let theirs = self.uses(sides[1], &layers[1], rng);
            let worths =
                [uses.map(|one| one.map(Use::value)), theirs.map(|one| one.map(|one| one.average))];
            let hopes = worths.map(Hopes::of);
            let Some(looks) = through_nulls(hopes[0], hopes[1]) else {
                // Nobody will ever move again.
                last = Some(state.standing());
                break;
            };
            let usable = [0, 1].map(|at| worths[at ^ thrower].map(|worth| worth.is_some()));
            let (scorer, score) = throw(rng, usable);
            let scorer = scorer ^ thrower;
            let mut moment = Moment {
                inputs: layers.map(|layer| layer.inputs),
                looks,
                expected: 0.0,
                shares: shares(scorer, thrower, hopes),
                thrower,
            };
            if scorer == 0 {
                let Some(chosen) = uses[score] else { break };
                state = chosen.after;
                moment.expected = chosen.value();
                if rng.random_range(0..100) < SLIPS {
                    state = any_use(rng, sides[0], SCORES[score].0, false).unwrap_or(state);
                    moment.shares = [0.0; 2];
                }
            } else {
                let Some(drawn) = theirs[score] else { break };
                state = drawn.after.turned();
                moment.expected = -drawn.worth;
            }
            moments.push(moment);
            thrower = scorer;
            last = state.result();
        }
        // Backwards: what came to light, for the learner.
        let mut shown = last.unwrap_or(0.0);
        let [own, theirs] = lessons;
        for moment in moments.iter().rev() {
            let news = lambda * (shown - moment.expected);
            let targets = [0, 1].map(|at| moment.looks[at] + news * moment.shares[at]);
            let [mine, his] = moment.inputs;
            own.push(Lesson { inputs: mine, target: targets[0] });
            theirs.push(Lesson { inputs: his, target: targets[1] });
            shown = if moment.thrower == 0 { targets[0] } else { -targets[1] };
        }
    }

    /// How he uses each score that he can use.
    fn uses(&self, state: State, layer: &Layer, rng: &mut ChaCha8Rng) -> [Option<Drawn>; 3] {
        SCORES.map(|(score, _)| {
            let choices = self.style.choices(state, score);
            if choices.is_empty() {
                return None;
            }
            let network = &self.learner.network;
            let after = choices[rng.random_range(0..choices.len())];
            let worth = judge(network, layer, after).tanh();
            Some(Drawn { after, worth, average: average(network, layer, &choices) })
        })
    }
}

/// How much more likely it is than with the one who threw that `scorer` scores
/// next, if each of the two throws first; for the partner with the other sign,
/// since what is news for the one is so for the other the other way round.
fn shares(scorer: usize, thrower: usize, hopes: [Hopes; 2]) -> [f32; 2] {
    // If the other one throws first, he has to throw a null first.
    let handed = NULL / (NULL + hopes[1 - scorer].weight);
    let [mine, his] = [0, 1].map(|first| {
        let chance = |first| if first == scorer { 1.0 } else { handed };
        chance(first) / chance(thrower)
    });
    [mine, -his]
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::{super::weights, *};

    /// The lessons of a game, in its order: the learner's, the partner's.
    fn lessons(style: Style, ordered: bool, lambda: f32, seed: u64) -> [Vec<Lesson>; 2] {
        let partner = Partner { style, learner: Learner::new(weights(ordered).clone()) };
        let (mut own, mut theirs) = (Vec::new(), Vec::new());
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        partner.game(weights(ordered), ordered, lambda, rng, [&mut own, &mut theirs]);
        own.reverse();
        theirs.reverse();
        [own, theirs]
    }

    #[test]
    fn where_nothing_is_handed_back_lessons_are_the_look_ahead() {
        for style in [Style::Greedy, Style::Random] {
            for ordered in [false, true] {
                let [own, theirs] = lessons(style, ordered, 0.0, 3);
                assert!(own.len() > 20 && own.len() == theirs.len());
                let network = weights(ordered);
                for (own, theirs) in own.iter().zip(&theirs) {
                    let state = State { own: own.inputs[0], enemy: own.inputs[1], ordered };
                    assert_eq!(theirs.inputs, inputs(state.turned()));
                    let value = |state: State| match state.result() {
                        Some(result) => result,
                        None => network.sum(&network.layer(inputs(state)).sums).tanh(),
                    };
                    let mut hopes = [Hopes::default(); 2];
                    for (score, weight) in SCORES {
                        let mine = state.uses(score).into_iter().map(value);
                        if let Some(best) = mine.max_by(f32::total_cmp) {
                            hopes[0].weight += weight;
                            hopes[0].sum += weight * best;
                        }
                        let his = style.choices(state.turned(), score);
                        if !his.is_empty() {
                            let sum: f32 = his.iter().copied().map(value).sum();
                            hopes[1].weight += weight;
                            hopes[1].sum += weight * sum / his.len() as f32;
                        }
                    }
                    let looks = through_nulls(hopes[0], hopes[1]).unwrap();
                    for (lesson, look) in [own, theirs].into_iter().zip(looks) {
                        assert!((lesson.target - look).abs() < 1e-3, "{} {look}", lesson.target);
                    }
                }
            }
        }
    }

    #[test]
    fn what_comes_to_light_is_good_for_one_and_bad_for_the_other() {
        for seed in 0..8 {
            let [before, after] =
                [0.0, 1.0].map(|lambda| lessons(Style::Greedy, true, lambda, seed));
            let mut news = 0.0f32;
            for at in 0..before[0].len() {
                let [mine, his] = [0, 1].map(|who| after[who][at].target - before[who][at].target);
                assert!(mine * his <= 0.0, "{mine} {his}");
                // Never much more for one than for the other.
                assert!(mine.abs() <= 2.0 * his.abs() && his.abs() <= 2.0 * mine.abs());
                news = news.max(mine.abs());
            }
            assert!(news > 0.1, "{news}");
        }
    }

    #[test]
    fn who_scores_next_depends_on_who_throws_first() {
        let hopes = [4.0, 6.0].map(|weight| Hopes { weight, sum: 0.0 });
        let handed = [NULL / (NULL + 6.0), NULL / (NULL + 4.0)];
        assert_eq!(shares(0, 0, hopes), [1.0, -handed[0]]);
        assert_eq!(shares(1, 1, hopes), [handed[1], -1.0]);
        assert_eq!(shares(0, 1, hopes), [1.0 / handed[0], -1.0]);
        assert_eq!(shares(1, 0, hopes), [1.0, -1.0 / handed[1]]);
    }
}
