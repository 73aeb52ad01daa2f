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
    learning::{SLIPS, throw},
    network::{Layer, Network},
    rival::Style,
    state::{NULL, SCORES, State},
    throws::{Hopes, Use, best_uses, judge, through_nulls},
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
    /// What it put on the position that came next, for the learner.
    expected: f32,
    /// How much more or less likely that position was than it is with the one
    /// who threw, with the sign it has.
    shares: [f32; 2],
    /// Who threw.
    thrower: usize,
}

impl Partner {
    /// Plays a game against this network and adds the lessons for both.
    pub(super) fn game(
        &self,
        network: &Network,
        start: State,
        lambda: f32,
        rng: &mut ChaCha8Rng,
        lessons: [&mut Vec<Lesson>; 2],
    ) {
        let (mut state, mut thrower) = (start, rng.random_range(0..2));
        let (mut moments, mut last) = (Vec::new(), None);
        while last.is_none() {
            let sides = [state, state.turned()];
            let layers =
                [network.layer(inputs(sides[0])), self.learner.network.layer(inputs(sides[1]))];
            let uses = best_uses(network, state, &layers[0]);
            let theirs = self.uses(sides[1], &layers[1], rng);
            let worths =
                [uses.map(|one| one.map(Use::value)), theirs.map(|one| one.map(|one| one.1))];
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
                    let any = Style::Random.choices(sides[0], SCORES[score].0);
                    state =
                        any.get(rng.random_range(0..any.len().max(1))).copied().unwrap_or(state);
                    moment.shares = [0.0; 2];
                }
            } else {
                let Some((chosen, worth)) = theirs[score] else { break };
                state = chosen.turned();
                moment.expected = -worth;
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

    /// For each score he can use, one of his choices and the average worth of
    /// all of them.
    fn uses(&self, state: State, layer: &Layer, rng: &mut ChaCha8Rng) -> [Option<(State, f32)>; 3] {
        SCORES.map(|(score, _)| {
            let choices = self.style.choices(state, score);
            if choices.is_empty() {
                return None;
            }
            let drawn = choices[rng.random_range(0..choices.len())];
            Some((drawn, average(&self.learner.network, layer, &choices)))
        })
    }
}

/// The average equity of some boards for their thrower.
pub(super) fn average(network: &Network, layer: &Layer, choices: &[State]) -> f32 {
    let sum: f32 = choices.iter().map(|&after| judge(network, layer, after).tanh()).sum();
    sum / choices.len() as f32
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

    #[test]
    fn a_games_lessons_are_what_the_look_ahead_says_where_nothing_is_handed_back() {
        for style in [Style::Greedy, Style::Random] {
            for ordered in [false, true] {
                let partner = Partner { style, learner: Learner::new(weights(ordered).clone()) };
                let mut rng = ChaCha8Rng::seed_from_u64(3);
                let (mut own, mut theirs) = (Vec::new(), Vec::new());
                let start = State::start(ordered);
                partner.game(weights(ordered), start, 0.0, &mut rng, [&mut own, &mut theirs]);
                assert!(own.len() > 20 && own.len() == theirs.len());
                assert!(own.iter().chain(&theirs).all(|lesson| lesson.target.abs() <= 1.0));
                // Both know of each other: what one gains the other loses, but
                // for who throws.
                let first = own[own.len() - 1].target + theirs[theirs.len() - 1].target;
                assert!(first.abs() < 0.3, "{first}");
            }
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
