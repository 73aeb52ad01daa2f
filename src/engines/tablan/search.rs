//! Looking ahead: every score of both sides, the best use of each, null scores
//! solved, again and again.
//!
//! A *depth* is a decision: at depth 0 a board is the network's word, at depth
//! 1 the average over whoever scores next and what he makes of it, and so on.
//! Null scores, ten of sixteen throws, cost no depth. Against a rival who does
//! not choose the best use, what he may choose is averaged over, and judged at
//! once.

use super::{
    features::inputs,
    network::{Layer, Network},
    rival::Rival,
    run_in::RunIn,
    state::{SCORES, State},
    throws::{Hopes, average, judge, through_nulls},
};
use crate::engines::control::SearchControl;

/// Of the uses of a later score those are followed that the network finds at
/// most so much worse than the best, in equity,
const MARGIN: f32 = 0.05;
/// and at most so many, of a 2, an 8 and a 12: the latter are a quarter as
/// likely.
const WIDTHS: [usize; 3] = [WIDTH, 2, 2];
const WIDTH: usize = 4;

/// Time is up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spent;

/// A look ahead under way.
pub(super) struct Search<'a, 'g> {
    pub(super) network: &'a Network,
    pub(super) control: SearchControl<'g>,
    /// Solved boards, where they may be asked.
    pub(super) run_in: &'a mut RunIn,
    /// How the other side plays, where that is known. Then boards are judged
    /// for the engine alone, and `network` is the one against him.
    pub(super) rival: Option<Rival>,
}

/// A use found at a board, with its worth as the network sees it.
#[derive(Clone, Copy)]
struct Found {
    after: State,
    value: f32,
}

impl Search<'_, '_> {
    /// The board's worth for its thrower, `depth` decisions ahead.
    pub(super) fn worth(&mut self, state: State, depth: u32) -> Result<f32, Spent> {
        if let Some(result) = state.result() {
            return Ok(result);
        }
        // What was solved holds against sound play only.
        if self.rival.is_none()
            && let Some(exact) = self.run_in.known(state)
        {
            return Ok(exact as f32);
        }
        if depth == 0 {
            return self.glance(state);
        }
        let own = Hopes::of(self.prospects(state, depth)?);
        let enemy = Hopes::of(match self.rival {
            Some(rival) => self.answers(state.turned(), rival)?,
            None => self.prospects(state.turned(), depth)?,
        });
        Ok(through_nulls(own, enemy).map_or_else(|| state.standing(), |[worth, _]| worth))
    }

    /// The network's word.
    fn glance(&mut self, state: State) -> Result<f32, Spent> {
        if !self.control.enter() {
            return Err(Spent);
        }
        Ok(self.network.sum(&self.network.layer(inputs(state)).sums).tanh())
    }

    /// The worth of the best use of each score that has any.
    pub(super) fn prospects(
        &mut self,
        state: State,
        depth: u32,
    ) -> Result<[Option<f32>; 3], Spent> {
        let layer = self.network.layer(inputs(state));
        let mut values = [None; 3];
        for (((score, _), width), value) in SCORES.into_iter().zip(WIDTHS).zip(&mut values) {
            *value = match self.proven_use(state, score) {
                Some(proven) => Some(proven),
                None => self.best_use(state, &layer, score, depth, width)?,
            };
        }
        Ok(values)
    }

    /// What a rival makes of each score he can use, on average over what he
    /// may choose.
    fn answers(&mut self, state: State, rival: Rival) -> Result<[Option<f32>; 3], Spent> {
        let layer = rival.theirs.layer(inputs(state));
        let mut values = [None; 3];
        for ((score, _), value) in SCORES.into_iter().zip(&mut values) {
            let choices = rival.style.choices(state, score);
            if !choices.iter().all(|_| self.control.enter()) {
                return Err(Spent);
            }
            if !choices.is_empty() {
                *value = Some(average(rival.theirs, &layer, &choices));
            }
        }
        Ok(values)
    }

    /// The worth of the best use of a score where all of them have been solved.
    fn proven_use(&self, state: State, score: u8) -> Option<f32> {
        if self.rival.is_some() {
            return None;
        }
        self.run_in.known(state)?;
        let (mut best, mut proven) = (None::<f64>, true);
        state.each_use(score, |after| {
            match after.result().map(f64::from).or_else(|| self.run_in.known(after)) {
                Some(value) => best = Some(best.map_or(value, |best| best.max(value))),
                None => proven = false,
            }
        });
        best.filter(|_| proven).map(|best| best as f32)
    }

    /// The worth of the best use of a score; none if it has none.
    fn best_use(
        &mut self,
        state: State,
        layer: &Layer,
        score: u8,
        depth: u32,
        width: usize,
    ) -> Result<Option<f32>, Spent> {
        // The most promising so far, the best first.
        let mut found = [Found { after: state, value: f32::NEG_INFINITY }; WIDTH];
        let kept = if depth > 1 { width.min(WIDTH) } else { 1 };
        let (network, control) = (self.network, &mut self.control);
        let (mut count, mut spent) = (0, false);
        state.each_use(score, |after| {
            spent |= !control.enter();
            if spent {
                return;
            }
            let value = judge(network, layer, after);
            if count == kept && value <= found[kept - 1].value {
                return;
            }
            count = kept.min(count + 1);
            let better = found[..count - 1].iter().position(|one| value > one.value);
            let at = better.unwrap_or(count - 1);
            found[at..count].rotate_right(1);
            found[at] = Found { after, value };
        });
        if spent {
            return Err(Spent);
        }
        let Some(first) = found[..count].first() else { return Ok(None) };
        let glance = first.value.tanh();
        if depth <= 1 {
            return Ok(Some(glance));
        }
        let mut best = f32::NEG_INFINITY;
        for one in &found[..count] {
            if one.value.tanh() < glance - MARGIN {
                break;
            }
            best = best.max(self.worth(one.after, depth - 1)?);
        }
        Ok(Some(best))
    }
}

#[cfg(test)]
mod tests {

    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::{
        super::{rival::Style, weights},
        *,
    };
    use crate::engines::{SearchLimits, StopSignal, control::SharedControl, timeman::Stopwatch};

    /// Runs a question with a search that nothing stops.
    fn ask<R>(ordered: bool, question: impl FnOnce(&mut Search<'_, '_>) -> R) -> R {
        ask_against(None, ordered, question)
    }

    fn ask_against<R>(
        rival: Option<Rival>,
        ordered: bool,
        question: impl FnOnce(&mut Search<'_, '_>) -> R,
    ) -> R {
        let stop = StopSignal::default();
        let shared = SharedControl::new(SearchLimits::default(), Stopwatch::start(), &stop);
        let control = shared.main_thread();
        let run_in = &mut RunIn::default();
        let network = rival.map_or_else(|| weights(ordered), |rival| rival.own);
        question(&mut Search { network, control, run_in, rival })
    }

    /// Boards of games played by a glance, each with a score to be used.
    fn boards(ordered: bool, seed: u64) -> impl Iterator<Item = (State, u8)> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut state = State::start(ordered);
        std::iter::from_fn(move || {
            for _ in 0..10_000 {
                let score = match rng.random_range(0..16) {
                    0..10 => {
                        state = state.turned();
                        continue;
                    }
                    10..14 => 2,
                    14 => 8,
                    _ => 12,
                };
                let board = state;
                let best = best_by_glance(board, score);
                state = match best {
                    Some(after) if after.result().is_none() => after,
                    Some(_) => State::start(ordered),
                    None => continue,
                };
                return Some((board, score));
            }
            // Nobody can move.
            state = State::start(ordered);
            Some((state, 2))
        })
    }

    fn best_by_glance(state: State, score: u8) -> Option<State> {
        let network = weights(state.ordered);
        let layer = network.layer(inputs(state));
        let mut best: Option<(f32, State)> = None;
        state.each_use(score, |after| {
            let value = judge(network, &layer, after);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, after));
            }
        });
        best.map(|(_, after)| after)
    }

    #[test]
    fn a_look_ahead_is_the_average_of_the_throws() {
        for ordered in [false, true] {
            for (state, _) in boards(ordered, 1).step_by(9).take(30) {
                ask(ordered, |search| {
                    let here = search.worth(state, 1).unwrap();
                    let there = search.worth(state.turned(), 1).unwrap();
                    let mut sum = -10.0 * there;
                    for (score, weight) in SCORES {
                        let mut best = f32::NEG_INFINITY;
                        if !state.each_use(score, |after| {
                            best = best.max(search.worth(after, 0).unwrap());
                        }) {
                            best = here;
                        }
                        sum += weight * best;
                    }
                    assert!((sum / 16.0 - here).abs() < 1e-3, "{state:?}: {sum} {here}");
                });
            }
        }
    }

    #[test]
    fn a_rivals_answers_are_averaged_over() {
        for (style, ordered) in
            [(Style::Greedy, false), (Style::Random, false), (Style::Greedy, true)]
        {
            let rival = Rival::new(style, ordered).unwrap();
            let judge = |network: &Network, state: State| match state.result() {
                Some(result) => result,
                None => network.sum(&network.layer(inputs(state)).sums).tanh(),
            };
            for (state, _) in boards(ordered, 4).step_by(9).take(20) {
                let told = ask_against(Some(rival), ordered, |search| search.worth(state, 1));
                // Each throws until somebody scores; the rival draws lots.
                let mut hopes = [Hopes::default(); 2];
                for (score, weight) in SCORES {
                    let mut best = f32::NEG_INFINITY;
                    if state.each_use(score, |after| best = best.max(judge(rival.own, after))) {
                        hopes[0].weight += weight;
                        hopes[0].sum += weight * best;
                    }
                    let choices = style.choices(state.turned(), score);
                    let sum: f32 = choices.iter().map(|&after| judge(rival.theirs, after)).sum();
                    if !choices.is_empty() {
                        hopes[1].weight += weight;
                        hopes[1].sum += weight * sum / choices.len() as f32;
                    }
                }
                let expected = through_nulls(hopes[0], hopes[1]).unwrap()[0];
                let told = told.unwrap();
                assert!((told - expected).abs() < 1e-3, "{state:?}: {told} {expected}");
            }
        }
    }

    #[test]
    fn the_same_look_sees_the_same() {
        for ordered in [false, true] {
            let (state, _) = boards(ordered, 2).nth(40).unwrap();
            let look = || {
                ask(ordered, |search| {
                    let worth = search.worth(state, 2).unwrap();
                    (worth, search.control.nodes())
                })
            };
            assert_eq!(look(), look());
        }
    }

    /// How much equity a choice by a shallower look gives away by the word of
    /// depth 3, on average:
    ///
    /// ```sh
    /// cargo test --release --no-default-features --lib what_depth_is_worth -- \
    ///     --ignored --nocapture
    /// ```
    #[test]
    #[ignore = "minutes; wants a release build"]
    fn what_depth_is_worth() {
        for ordered in [false, true] {
            let (mut lost, mut nodes, mut count) = ([0.0; 2], [0; 3], 0.0);
            for (state, score) in boards(ordered, 3).step_by(8).take(600) {
                let mut all = Vec::new();
                state.each_use(score, |after| all.push(after));
                let [glance, second, third] = [0, 1, 2].map(|depth| {
                    ask(ordered, |search| {
                        let worths: Vec<_> =
                            all.iter().map(|&after| search.worth(after, depth).unwrap()).collect();
                        nodes[depth as usize] += search.control.nodes();
                        worths
                    })
                });
                let most = third.iter().copied().fold(-1.0, f32::max);
                for (lost, worths) in lost.iter_mut().zip([glance, second]) {
                    let best = (0..all.len()).max_by(|&a, &b| worths[a].total_cmp(&worths[b]));
                    *lost += most - third[best.unwrap()];
                }
                count += 1.0;
            }
            let [one, two] = lost.map(|lost| 100.0 * lost / count);
            let [glance, second, third] = nodes.map(|nodes| nodes as f32 / count);
            println!(
                "ordered {ordered}: depth 1 gives away {one:.3} hundredths a choice, depth 2 \
                 {two:.3}; nodes {glance:.0}, {second:.0}, {third:.0}"
            );
        }
    }
}
