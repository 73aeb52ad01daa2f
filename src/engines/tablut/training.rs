//! Learning the [`Network`] from positions whose worth is known: the same
//! network in floats, its gradients, and stochastic descent (Adam).

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

use super::{
    ground::{BLACK, KING, WHITE},
    network::{
        HIDDEN, Head, INNER, INPUTS, MOST, MOST_ROW, MOST_SUM, Network, ONE, POINT, SECOND, Sums,
        input,
    },
    squares::{NUMBERS, each, file, number, rank},
    state::State,
};

/// Points for which a win is `e` times as likely as a loss.
pub(super) const SCALE: f32 = 150.0;
/// What the network's last sum is to be multiplied by, so that its weights are
/// of one size.
const STRETCH: f32 = 4.0;
/// Passes over the positions.
const EPOCHS: usize = 30;
const BATCH: usize = 512;
/// The step at the start; it falls to a hundredth by a cosine.
const RATE: f32 = 0.002;
/// How fast Adam's means fade.
const FADE: (f32, f32) = (0.9, 0.999);
/// What is said of the training positions is the mean of every so many-th.
const SPOT: usize = 16;

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    white: u128,
    black: u128,
    king: u8,
    black_to_move: bool,
    /// What White should expect, 0 to 1.
    target: f32,
}

impl Sample {
    pub(super) const fn new(state: &State, target: f32) -> Self {
        let State { white, black, king, black_to_move, .. } = *state;
        Self { white, black, king, black_to_move, target }
    }

    /// The inputs that are on, in one of the board's eight images.
    fn inputs(&self, image: &Image, inputs: &mut Vec<usize>) {
        inputs.clear();
        let mut put = |kind, at: u8| inputs.push(input(kind, image[usize::from(at & 127)]));
        put(KING, self.king);
        each(self.white).for_each(|at| put(WHITE, at));
        each(self.black).for_each(|at| put(BLACK, at));
    }
}

/// Where each square goes.
type Image = [u8; NUMBERS];

/// The board's eight symmetries.
fn images() -> [Image; 8] {
    std::array::from_fn(|which| {
        let mut image = [0; NUMBERS];
        for (at, _) in super::ground::Ground::squares() {
            let turned = |place: usize, bit: usize| {
                if which & bit == 0 { place } else { 8 - place }
            };
            let (across, up) = (turned(file(at), 1), turned(rank(at), 2));
            let (across, up) = if which & 4 == 0 { (across, up) } else { (up, across) };
            image[usize::from(at)] = number(across, up);
        }
        image
    })
}

pub(super) fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The logistic loss, beyond what nothing could avoid.
fn loss(target: f32, value: f32) -> f32 {
    let entropy = |p: f32, q: f32| if p > 0.0 { -p * q.max(1e-6).ln() } else { 0.0 };
    let (p, q) = (target, sigmoid(value));
    entropy(p, q) + entropy(1.0 - p, 1.0 - q) - entropy(p, p) - entropy(1.0 - p, 1.0 - p)
}

/// The weights are one list: a row of [`HIDDEN`] for each input, then a head
/// for White to move and one for Black. A head is the base, the inner weights,
/// the middle sums, the outer weights and the rest, from these places on.
const INNER_AT: usize = HIDDEN;
const MIDDLE_AT: usize = INNER_AT + SECOND * HIDDEN;
const OUTER_AT: usize = MIDDLE_AT + SECOND;
const REST_AT: usize = OUTER_AT + SECOND;
const HEAD: usize = REST_AT + 1;
const HEADS: usize = INPUTS * HIDDEN;
const ALL: usize = HEADS + 2 * HEAD;

/// The network in floats.
struct Learner {
    weights: Vec<f32>,
}

/// The units of both layers on the way through.
struct Units {
    first: [f32; HIDDEN],
    second: [f32; SECOND],
}

const fn is_between(sum: f32) -> bool {
    0.0 < sum && sum < 1.0
}

impl Learner {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let mut about =
            |middle: f32, range: f32| middle + range * (2.0 * rng.random::<f32>() - 1.0);
        let mut weights = Vec::with_capacity(ALL);
        weights.extend((0..HEADS).map(|_| about(0.0, 0.15)));
        for _ in 0..2 {
            weights.extend((0..HIDDEN).map(|_| about(0.5, 0.1)));
            weights.extend((INNER_AT..MIDDLE_AT).map(|_| about(0.0, (3.0 / HIDDEN as f32).sqrt())));
            weights.extend([0.3; SECOND]);
            weights.extend((OUTER_AT..REST_AT).map(|_| about(0.0, 0.5)));
            weights.push(0.0);
        }
        Self { weights }
    }

    fn head(&self, black_to_move: bool) -> &[f32] {
        &self.weights[HEADS + usize::from(black_to_move) * HEAD..][..HEAD]
    }

    /// White's prospects as the logarithm of the odds.
    fn value(&self, inputs: &[usize], black_to_move: bool, units: &mut Units) -> f32 {
        let head = self.head(black_to_move);
        units.first.copy_from_slice(&head[..HIDDEN]);
        for input in inputs {
            let row = &self.weights[input * HIDDEN..][..HIDDEN];
            units.first.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
        }
        let active = units.first.map(|sum| sum.clamp(0.0, 1.0));
        let mut value = head[REST_AT];
        for (at, unit) in units.second.iter_mut().enumerate() {
            let inner = &head[INNER_AT + at * HIDDEN..][..HIDDEN];
            let mut parts = [0.0; 8];
            for (active, inner) in active.as_chunks::<8>().0.iter().zip(inner.as_chunks::<8>().0) {
                for lane in 0..8 {
                    parts[lane] += active[lane] * inner[lane];
                }
            }
            *unit = head[MIDDLE_AT + at] + parts.iter().sum::<f32>();
            value += head[OUTER_AT + at] * unit.clamp(0.0, 1.0);
        }
        value * STRETCH
    }

    /// Adds to the slopes what a slope of the value means for the weights.
    fn learn(
        &self,
        (inputs, black_to_move): (&[usize], bool),
        units: &Units,
        slope: f32,
        slopes: &mut [f32],
    ) {
        let slope = slope * STRETCH;
        let head = self.head(black_to_move);
        let (rows, heads) = slopes.split_at_mut(HEADS);
        let learnt = &mut heads[usize::from(black_to_move) * HEAD..][..HEAD];
        learnt[REST_AT] += slope;
        let active = units.first.map(|sum| sum.clamp(0.0, 1.0));
        let mut back = [0.0; HIDDEN];
        for (at, &unit) in units.second.iter().enumerate() {
            learnt[OUTER_AT + at] += slope * unit.clamp(0.0, 1.0);
            if !is_between(unit) {
                continue;
            }
            let slope = slope * head[OUTER_AT + at];
            learnt[MIDDLE_AT + at] += slope;
            let inner = &head[INNER_AT + at * HIDDEN..][..HIDDEN];
            let learnt = &mut learnt[INNER_AT + at * HIDDEN..][..HIDDEN];
            for lane in 0..HIDDEN {
                learnt[lane] += slope * active[lane];
                back[lane] += slope * inner[lane];
            }
        }
        for (back, &sum) in back.iter_mut().zip(&units.first) {
            *back = if is_between(sum) { *back } else { 0.0 };
        }
        let add = |row: &mut [f32]| row.iter_mut().zip(&back).for_each(|(sum, back)| *sum += back);
        add(&mut learnt[..HIDDEN]);
        inputs.iter().for_each(|input| add(&mut rows[input * HIDDEN..][..HIDDEN]));
    }

    /// The same in whole numbers.
    fn rounded(&self) -> Network {
        let whole = |weight: f32, unit: f32, most: i32| {
            (weight * unit).round().clamp(-most as f32, most as f32) as i32
        };
        let one = f32::from(ONE);
        let row = |weights: &[f32]| -> Sums {
            std::array::from_fn(|at| whole(weights[at], one, i32::from(MOST_ROW)) as i16)
        };
        let rows: Vec<_> = self.weights[..HEADS]
            .as_chunks::<HIDDEN>()
            .0
            .iter()
            .map(|weights| row(weights))
            .collect();
        // What the last sum's unit is in the network's own.
        let points = STRETCH * SCALE * POINT as f32;
        let heads = [false, true].map(|black_to_move| {
            let head = self.head(black_to_move);
            let inner = |at: usize| {
                let weight = |weight: f32| whole(weight, INNER as f32, i32::from(i16::MAX)) as i16;
                std::array::from_fn(|lane| weight(head[INNER_AT + at * HIDDEN + lane]))
            };
            Head {
                base: row(&head[..HIDDEN]),
                inner: std::array::from_fn(inner),
                middle: std::array::from_fn(|at| {
                    whole(head[MIDDLE_AT + at], one * INNER as f32, MOST_SUM)
                }),
                outer: std::array::from_fn(|at| whole(head[OUTER_AT + at], points, MOST)),
                rest: whole(head[REST_AT], points * one, MOST_SUM),
            }
        });
        Network::new(&rows, heads)
    }
}

/// A network that has learnt the training positions; how well it does on
/// others is told by the tested ones. `say` is told how it goes.
pub(super) fn train(
    samples: &[Sample],
    tested: &[Sample],
    seed: u64,
    say: &mut dyn FnMut(&str),
) -> Network {
    let images = images();
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xf17);
    let mut learner = Learner::random(&mut rng);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let (mut means, mut squares) = (vec![0.0_f32; ALL], vec![0.0_f32; ALL]);
    let mut slopes = vec![0.0_f32; ALL];
    let mut inputs = Vec::with_capacity(32);
    let mut units = Units { first: [0.0; HIDDEN], second: [0.0; SECOND] };
    let (mut step, steps) = (0_i32, EPOCHS * samples.len().div_ceil(BATCH));
    for epoch in 0..EPOCHS {
        order.shuffle(&mut rng);
        let (mut sum, mut counted) = (0.0, 0);
        for batch in order.chunks(BATCH) {
            slopes.fill(0.0);
            for (number, &at) in batch.iter().enumerate() {
                let sample = &samples[at];
                sample.inputs(&images[rng.random_range(0..8)], &mut inputs);
                let value = learner.value(&inputs, sample.black_to_move, &mut units);
                if number % SPOT == 0 {
                    sum += f64::from(loss(sample.target, value));
                    counted += 1;
                }
                let slope = (sigmoid(value) - sample.target) / batch.len() as f32;
                learner.learn((&inputs, sample.black_to_move), &units, slope, &mut slopes);
            }
            step += 1;
            let turned = std::f32::consts::PI * step as f32 / steps as f32;
            let rate = RATE * (0.5 + 0.5 * turned.cos()).max(0.01);
            let warm = (1.0 - FADE.0.powi(step), 1.0 - FADE.1.powi(step));
            let seen = means.iter_mut().zip(&mut squares).zip(&slopes);
            for (weight, ((mean, square), slope)) in learner.weights.iter_mut().zip(seen) {
                *mean = FADE.0 * *mean + (1.0 - FADE.0) * slope;
                *square = FADE.1 * *square + (1.0 - FADE.1) * slope * slope;
                *weight -= rate * (*mean / warm.0) / ((*square / warm.1).sqrt() + 1e-8);
            }
        }
        let mean = sum / f64::from(counted.max(1));
        let losses = tested.iter().map(|sample| {
            sample.inputs(&images[0], &mut inputs);
            f64::from(loss(sample.target, learner.value(&inputs, sample.black_to_move, &mut units)))
        });
        let held: f64 = losses.sum();
        let held = match tested.len() {
            0 => String::new(),
            count => format!(", on games held back {:.5}", held / count as f64),
        };
        say(&format!("epoch {}: loss {mean:.5}{held}", epoch + 1));
    }
    learner.rounded()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slopes_are_those_of_the_value() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut learner = Learner::random(&mut rng);
        let mut units = Units { first: [0.0; HIDDEN], second: [0.0; SECOND] };
        let inputs = [5, 90, 200];
        learner.value(&inputs, true, &mut units);
        let mut slopes = vec![0.0; ALL];
        learner.learn((&inputs, true), &units, 1.0, &mut slopes);
        let black = HEADS + HEAD;
        let places = [5 * HIDDEN, 200 * HIDDEN + 7, black, black + INNER_AT + 9]
            .into_iter()
            .chain([black + MIDDLE_AT + 1, black + OUTER_AT + 2, black + REST_AT, HEADS]);
        for at in places {
            let mut moved = |by: f32| {
                learner.weights[at] += by;
                let value = learner.value(&inputs, true, &mut units);
                learner.weights[at] -= by;
                value
            };
            let slope = (moved(1e-3) - moved(-1e-3)) / 2e-3;
            assert!((slope - slopes[at]).abs() < 0.02, "{at}: {slope}, {}", slopes[at]);
        }
    }

    #[test]
    fn whole_numbers_say_what_the_floats_say() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let learner = Learner::random(&mut rng);
        let network = learner.rounded();
        let mut units = Units { first: [0.0; HIDDEN], second: [0.0; SECOND] };
        for _ in 0..200 {
            let (mut inputs, mut sums) = (Vec::new(), [0; HIDDEN]);
            for _ in 0..15 {
                let (kind, at) = (rng.random_range(0..3), number(rng.random_range(0..9), 4));
                inputs.push(input(kind, at));
                super::super::network::add(&mut sums, network.row(kind, at));
            }
            for black_to_move in [false, true] {
                let exact = learner.value(&inputs, black_to_move, &mut units) * SCALE;
                let whole = network.value(&sums, black_to_move) as f32;
                assert!((exact - whole).abs() < 15.0, "{exact}, {whole}");
            }
        }
    }

    #[test]
    fn images_are_eight_and_each_is_the_whole_board() {
        let images = images();
        for (at, image) in images.iter().enumerate() {
            let all = super::super::ground::BOARD;
            let set = each(all)
                .fold(0, |set, at| set | super::super::squares::bit(image[usize::from(at)]));
            assert_eq!(set, all);
            assert!(images[..at].iter().all(|other| other != image));
        }
    }
}
