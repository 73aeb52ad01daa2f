//! One throw ahead: the best use of each score by the network's word, and what
//! a board is worth through any number of null scores.

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    features::inputs,
    network::{Layer, Network},
    state::{NULL, SCORES, State},
};

/// The best use of a score: the board after it, and its worth for who used it
/// as the sum before tanh (endless for a game won).
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) after: State,
    pub(super) sum: f32,
}

impl Use {
    /// The equity, -1 to 1.
    pub(super) fn value(self) -> f32 {
        self.sum.tanh()
    }
}

/// The best use of each score that has any, on a board whose layer is given.
pub(super) fn best_uses(network: &Network, state: State, layer: &Layer) -> [Option<Use>; 3] {
    SCORES.map(|(score, _)| {
        let mut best: Option<Use> = None;
        state.each_use(score, |after| {
            let sum = judge(network, layer, after);
            if best.is_none_or(|best| sum > best.sum) {
                best = Some(Use { after, sum });
            }
        });
        best
    })
}

/// The worth of a board for its thrower before tanh, by way of another one's
/// layer.
pub(super) fn judge(network: &Network, layer: &Layer, state: State) -> f32 {
    match state.result() {
        Some(0.0) => 0.0,
        Some(result) => f32::INFINITY.copysign(result),
        None => network.near(layer, inputs(state)),
    }
}

/// What a side makes of its scores: the weights of those it can use, of
/// sixteen, and the equities after them, each times its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hopes {
    pub(super) weight: f32,
    pub(super) sum: f32,
}

impl Hopes {
    /// From the worth of the best use of each score.
    pub(super) fn of(values: [Option<f32>; 3]) -> Self {
        let mut hopes = Self::default();
        for ((_, weight), value) in SCORES.into_iter().zip(values) {
            if let Some(value) = value {
                hopes.weight += weight;
                hopes.sum += weight * value;
            }
        }
        hopes
    }
}

/// The equities of a board for its thrower, and for the other side if that one
/// throws, from what either makes of its scores; none if neither can use any.
///
/// A null score changes only who throws, a lost throw nothing at all. So with
/// the hopes (a, A) and (b, B) the equities x and y hold
/// `(10 + a) x = A - 10 y` and `(10 + b) y = B - 10 x`.
pub(super) fn through_nulls(own: Hopes, enemy: Hopes) -> Option<[f32; 2]> {
    let (p, q) = (NULL + own.weight, NULL + enemy.weight);
    let determinant = p * q - NULL * NULL;
    (determinant > 0.0).then(|| {
        [
            (q * own.sum - NULL * enemy.sum) / determinant,
            (p * enemy.sum - NULL * own.sum) / determinant,
        ]
    })
}

/// The average equity of some boards for their thrower.
pub(super) fn average(network: &Network, layer: &Layer, choices: &[State]) -> f32 {
    let sum: f32 = choices.iter().map(|&after| judge(network, layer, after).tanh()).sum();
    sum / choices.len() as f32
}

/// Throws until somebody can use a score: who (0 for the first thrower), and
/// which.
pub(super) fn throw(rng: &mut ChaCha8Rng, usable: [[bool; 3]; 2]) -> (usize, usize) {
    let mut thrower = 0;
    loop {
        let score = match rng.random_range(0..16) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_throws_first_scores_first_more_often() {
        // Both win with any score they throw: 6/16 at once, or after two nulls.
        let won = Hopes::of([Some(1.0); 3]);
        let [x, y] = through_nulls(won, won).unwrap();
        let first = 6.0 / 16.0 / (1.0 - 100.0 / 256.0);
        assert!((x - (2.0 * first - 1.0)).abs() < 1e-6 && (x - y).abs() < 1e-6, "{x} {y}");
    }

    #[test]
    fn who_cannot_move_waits() {
        let stuck = Hopes::of([None; 3]);
        let hopes = Hopes::of([None, Some(0.5), None]);
        let [x, y] = through_nulls(stuck, hopes).unwrap();
        assert!((x + 0.5).abs() < 1e-6 && (y - 0.5).abs() < 1e-6, "{x} {y}");
        assert_eq!(through_nulls(stuck, stuck), None);
    }
}
