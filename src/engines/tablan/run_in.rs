//! The run-in, solved: when few pieces are under way, every position that can
//! still come is worked out, and the engine's word is exact.
//!
//! Pieces only go forward, so positions depend on later ones alone, but for
//! two loops: a lost throw is thrown again, and a null score hands the same
//! board to the other side. Both are solved as equations (see
//! [`super::throws::through_nulls`]), so one visit settles a board for both.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::state::{NULL, SCORES, State};

/// Pieces a side may have under way.
const MOST_UNDER_WAY: u32 = 2;
/// Boards worked out for one question at most.
const MOST_NEW: usize = 60_000;
/// Bytes a board takes in the memory, with the table's slack.
const BOARD_BYTES: usize = 80;

/// Equities for whoever is to throw, exact but for rounding.
pub(super) type Pair = [f64; 2];

/// Solved boards.
#[derive(Debug, Default)]
pub(super) struct RunIn {
    /// By the board in one of its two views.
    solved: HashMap<(u64, u64), Pair, BuildHasherDefault<Spread>>,
    ordered: bool,
}

/// Why a board has no exact worth here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

impl RunIn {
    /// Whether a board is one to be solved.
    pub(super) fn covers(state: State) -> bool {
        state.under_way().iter().all(|&count| count <= MOST_UNDER_WAY)
    }

    /// Makes ready for a question: forgets what belongs to another rule set,
    /// and everything when there is more than these MiB can hold.
    pub(super) fn prepare(&mut self, ordered: bool, mib: usize) {
        let most = (mib << 20) / BOARD_BYTES;
        if self.ordered != ordered || self.solved.len() + MOST_NEW > most.max(2 * MOST_NEW) {
            self.solved.clear();
            self.ordered = ordered;
        }
    }

    /// The board's exact worth for its thrower. `go_on` is asked before each
    /// new board; boards solved before it said no are kept.
    ///
    /// # Errors
    /// It was told to stop, or there are too many boards.
    pub(super) fn solve(
        &mut self,
        state: State,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<f64, GaveUp> {
        let most = self.solved.len() + MOST_NEW;
        self.pair(state, most, go_on).map(|pair| pair[0])
    }

    /// The board's exact worth for its thrower, if it has been solved.
    pub(super) fn known(&self, state: State) -> Option<f64> {
        if self.solved.is_empty() || !Self::covers(state) {
            return None;
        }
        let flipped = is_flipped(state);
        let view = if flipped { state.turned() } else { state };
        self.solved.get(&(view.own, view.enemy)).map(|pair| pair[usize::from(flipped)])
    }

    /// The worths for the thrower, and for the other side if that one threw.
    fn pair(
        &mut self,
        state: State,
        most: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Pair, GaveUp> {
        if let Some(result) = state.result() {
            return Ok([f64::from(result), f64::from(-result)]);
        }
        let flipped = is_flipped(state);
        let view = if flipped { state.turned() } else { state };
        let key = (view.own, view.enemy);
        let pair = match self.solved.get(&key) {
            Some(&pair) => pair,
            None => {
                if self.solved.len() >= most || !go_on() {
                    return Err(GaveUp);
                }
                let own = self.hopes(view, most, go_on)?;
                let enemy = self.hopes(view.turned(), most, go_on)?;
                let pair = settle(own, enemy).unwrap_or_else(|| {
                    let result = f64::from(view.standing());
                    [result, -result]
                });
                self.solved.insert(key, pair);
                pair
            }
        };
        Ok(if flipped { [pair[1], pair[0]] } else { pair })
    }

    /// The weight of the scores that can be used, and their worths together.
    fn hopes(
        &mut self,
        state: State,
        most: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(f64, f64), GaveUp> {
        let (mut weight, mut sum) = (0.0, 0.0);
        for (score, share) in SCORES {
            let (mut best, mut gave_up) = (f64::NEG_INFINITY, false);
            let any = state.each_use(score, |after| {
                if gave_up {
                    return;
                }
                match self.pair(after, most, go_on) {
                    Ok(pair) => best = best.max(pair[0]),
                    Err(GaveUp) => gave_up = true,
                }
            });
            if gave_up {
                return Err(GaveUp);
            }
            if any {
                weight += f64::from(share);
                sum += f64::from(share) * best;
            }
        }
        Ok((weight, sum))
    }

    /// How many boards are known.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.solved.len()
    }
}

/// Whether a board is kept in its other view.
fn is_flipped(state: State) -> bool {
    (state.own, state.enemy) > (state.enemy, state.own)
}

/// [`super::throws::through_nulls`] to full precision.
fn settle(own: (f64, f64), enemy: (f64, f64)) -> Option<Pair> {
    let null = f64::from(NULL);
    let (p, q) = (null + own.0, null + enemy.0);
    let determinant = p * q - null * null;
    (determinant > 0.0).then(|| {
        [(q * own.1 - null * enemy.1) / determinant, (p * enemy.1 - null * own.1) / determinant]
    })
}

/// Hashes two words of places; they are no attack, only crowded.
#[derive(Debug, Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(25) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tablan::{ORDERED, PLAIN, Position};

    fn state(text: &str, ordered: bool) -> State {
        State::of(&Position::parse(if ordered { ORDERED } else { PLAIN }, text).unwrap())
    }

    fn worth(text: &str, ordered: bool) -> f64 {
        RunIn::default().solve(state(text, ordered), &mut || true).unwrap()
    }

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn one_step_from_home_is_a_matter_of_who_scores_first() {
        // Each side has eleven home and one piece that only a 2 brings there.
        // South throws: 16 x = 4 + 2 x - 10 y, and x = y.
        let text = "SSSSSSSSSSS1/10S1/1N10/1NNNNNNNNNNN s";
        check(worth(text, true), 1.0 / 6.0);
    }

    #[test]
    fn a_board_is_worth_the_average_of_its_throws() {
        // The equation itself, from the outside, over all boards of an end.
        for (text, ordered) in
            [("2S3S1S3/S9S1/5N4N1/N2N2N5 s", false), ("SS10/3N3N4/1S3S6/10NN n", true)]
        {
            let root = state(text, ordered);
            let mut run_in = RunIn::default();
            run_in.solve(root, &mut || true).unwrap();
            assert!(run_in.len() > 100, "{}", run_in.len());
            let boards: Vec<_> = run_in.solved.keys().copied().collect();
            for (own, enemy) in boards {
                let state = State { own, enemy, ordered };
                let mut worth = |state: State| run_in.solve(state, &mut || false).unwrap();
                let stays = worth(state);
                let mut sum = -10.0 * worth(state.turned());
                for (score, weight) in SCORES {
                    let mut best = None;
                    state.each_use(score, |after| {
                        let value = worth(after);
                        best = Some(best.map_or(value, |best: f64| best.max(value)));
                    });
                    sum += f64::from(weight) * best.unwrap_or(stays);
                }
                if SCORES.iter().any(|&(score, _)| state.can_use(score)) {
                    check(sum / 16.0, stays);
                }
            }
        }
    }

    #[test]
    fn what_is_decided_is_worth_all() {
        // South is two ahead and North has one more to come.
        check(worth("SSS9/12/5N6/N10S s", false), 1.0);
        check(worth("SSS9/12/5N6/N10S n", false), -1.0);
    }

    #[test]
    fn it_gives_up_when_told_to_and_goes_on_later() {
        let root = state("2S3S1S3/S9S1/5N4N1/N2N2N5 s", false);
        let mut run_in = RunIn::default();
        let mut left = 300;
        let stopped = run_in.solve(root, &mut || {
            left -= 1;
            left > 0
        });
        assert_eq!(stopped, Err(GaveUp));
        let kept = run_in.len();
        assert!(kept > 0);
        let exact = run_in.solve(root, &mut || true).unwrap();
        check(exact, worth("2S3S1S3/S9S1/5N4N1/N2N2N5 s", false));
        assert!(run_in.len() > kept);
    }
}
