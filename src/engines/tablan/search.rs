//! Looking ahead: every score of both sides, the best use of each, null scores
//! solved, again and again.
//!
//! A *depth* is a decision: at depth 0 a board is the network's word, at depth
//! 1 the average over whoever scores next and what he makes of it, and so on.
//! Null scores, ten of sixteen throws, cost no depth.

use super::{
    features::inputs,
    network::{Layer, Network},
    run_in::RunIn,
    state::{SCORES, State},
    throws::{Hopes, judge, through_nulls},
};
use crate::engines::limits::Gate;

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
    pub(super) gate: Gate<'g>,
    /// Solved boards, where they may be asked.
    pub(super) run_in: &'a mut RunIn,
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
        if let Some(exact) = self.run_in.known(state) {
            return Ok(exact as f32);
        }
        if depth == 0 {
            return self.glance(state);
        }
        let own = Hopes::of(self.prospects(state, depth)?);
        let enemy = Hopes::of(self.prospects(state.turned(), depth)?);
        Ok(through_nulls(own, enemy).map_or_else(|| state.standing(), |[worth, _]| worth))
    }

    /// The network's word.
    fn glance(&mut self, state: State) -> Result<f32, Spent> {
        if !self.gate.enter() {
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

    /// The worth of the best use of a score where all of them have been solved.
    fn proven_use(&self, state: State, score: u8) -> Option<f32> {
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
        let (network, gate) = (self.network, &mut self.gate);
        let (mut count, mut spent) = (0, false);
        state.each_use(score, |after| {
            spent |= !gate.enter();
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
