//! Supervised training of the [`Network`]: the same network in floats, its
//! gradient by backpropagation, and stochastic gradient descent with Adam.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

use tabulae_games::tablut::Board as Pieces;

use super::super::{
    super::score::{TABLUT_SCALE, logistic},
    board::Board,
    network::{
        Accumulator, FEATURES, HIDDEN_SIZE, Head, MAX_BIAS, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT,
        Network, OUTPUT_ONE, SECOND_SIZE, UNIT_ONE, WEIGHT_ONE, feature_index,
    },
    rule_tables::{BLACK, KING, WHITE},
    squares::{BOARD, Bits, MAILBOX_SIZE, file, index, rank, squares_in},
};

/// The output is multiplied by this, so that all weights are of one size.
const OUTPUT_STRETCH: f32 = 4.0;
/// Passes over the samples.
const EPOCHS: usize = 30;
const BATCH_SIZE: usize = 512;
/// The learning rate at the start.
const LEARNING_RATE: f32 = 0.002;
/// The learning rate at the end, as a share of that.
const MIN_RATE_SHARE: f32 = 0.01;
/// Adam's decay rates.
const BETAS: (f32, f32) = (0.9, 0.999);
/// The reported training loss is the mean over one sample in this many.
const LOSS_INTERVAL: usize = 16;

/// A position to train on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    white: Bits,
    black: Bits,
    king: u8,
    black_to_move: bool,
    /// White's expected result, 0 to 1.
    target: f32,
}

impl Sample {
    pub(super) fn new(board: &Board, target: f32) -> Self {
        let Pieces { white, black, king, black_to_move, .. } = **board;
        Self { white, black, king, black_to_move, target }
    }

    /// The active features under one of the board's eight symmetries.
    fn features(&self, symmetry: &Symmetry, features: &mut Vec<usize>) {
        features.clear();
        let mut push =
            |kind, at: u8| features.push(feature_index(kind, symmetry[usize::from(at & 127)]));
        push(KING, self.king);
        squares_in(self.white).for_each(|at| push(WHITE, at));
        squares_in(self.black).for_each(|at| push(BLACK, at));
    }
}

/// The image of each square.
type Symmetry = [u8; MAILBOX_SIZE];

/// The board's eight symmetries, to augment the data.
fn symmetries() -> [Symmetry; 8] {
    std::array::from_fn(|which| {
        let mut images = [0; MAILBOX_SIZE];
        for at in squares_in(BOARD) {
            let flipped = |place: usize, bit: usize| {
                if which & bit == 0 { place } else { 8 - place }
            };
            let (across, up) = (flipped(file(at), 1), flipped(rank(at), 2));
            let (across, up) = if which & 4 == 0 { (across, up) } else { (up, across) };
            images[usize::from(at)] = index(across, up);
        }
        images
    })
}

/// The logistic loss minus the entropy of the target, so that a perfect prediction
/// has loss 0.
fn loss(target: f32, value: f32) -> f32 {
    let entropy = |p: f32, q: f32| if p > 0.0 { -p * libm::logf(q.max(1e-6)) } else { 0.0 };
    let (p, q) = (target, logistic(value));
    entropy(p, q) + entropy(1.0 - p, 1.0 - q) - entropy(p, p) - entropy(1.0 - p, 1.0 - p)
}

// The weights are one list: a row of HIDDEN_SIZE for each feature, then a head for
// White to move and one for Black. A head is the feature bias, the weights and
// the bias of the second layer, the output's weights and its bias.
const SECOND_WEIGHTS_AT: usize = HIDDEN_SIZE;
const SECOND_BIAS_AT: usize = SECOND_WEIGHTS_AT + SECOND_SIZE * HIDDEN_SIZE;
const OUTPUT_WEIGHTS_AT: usize = SECOND_BIAS_AT + SECOND_SIZE;
const OUTPUT_BIAS_AT: usize = OUTPUT_WEIGHTS_AT + SECOND_SIZE;
const HEAD_SIZE: usize = OUTPUT_BIAS_AT + 1;
const HEADS_AT: usize = FEATURES * HIDDEN_SIZE;
const WEIGHTS: usize = HEADS_AT + 2 * HEAD_SIZE;

/// The network in floats.
struct FloatNetwork {
    weights: Vec<f32>,
}

/// The sums of both layers' units in a forward pass, before clipping.
struct Activations {
    first: [f32; HIDDEN_SIZE],
    second: [f32; SECOND_SIZE],
}

impl Activations {
    const fn new() -> Self {
        Self { first: [0.0; HIDDEN_SIZE], second: [0.0; SECOND_SIZE] }
    }
}

/// Whether a clipped ReLU has a non-zero derivative.
const fn is_unclipped(sum: f32) -> bool {
    0.0 < sum && sum < 1.0
}

impl FloatNetwork {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let mut uniform = |mean: f32, range: f32| mean + range * (2.0 * rng.random::<f32>() - 1.0);
        let mut weights = Vec::with_capacity(WEIGHTS);
        weights.extend((0..HEADS_AT).map(|_| uniform(0.0, 0.15)));
        for _ in 0..2 {
            weights.extend((0..HIDDEN_SIZE).map(|_| uniform(0.5, 0.1)));
            weights.extend(
                (SECOND_WEIGHTS_AT..SECOND_BIAS_AT)
                    .map(|_| uniform(0.0, (3.0 / HIDDEN_SIZE as f32).sqrt())),
            );
            weights.extend([0.3; SECOND_SIZE]);
            weights.extend((OUTPUT_WEIGHTS_AT..OUTPUT_BIAS_AT).map(|_| uniform(0.0, 0.5)));
            weights.push(0.0);
        }
        Self { weights }
    }

    fn head(&self, black_to_move: bool) -> &[f32] {
        &self.weights[HEADS_AT + usize::from(black_to_move) * HEAD_SIZE..][..HEAD_SIZE]
    }

    /// The forward pass: White's prospects as the logarithm of the odds.
    fn forward(
        &self,
        features: &[usize],
        black_to_move: bool,
        activations: &mut Activations,
    ) -> f32 {
        let head = self.head(black_to_move);
        activations.first.copy_from_slice(&head[..HIDDEN_SIZE]);
        for feature in features {
            let row = &self.weights[feature * HIDDEN_SIZE..][..HIDDEN_SIZE];
            activations.first.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
        }
        let active = activations.first.map(|sum| sum.clamp(0.0, 1.0));
        let mut value = head[OUTPUT_BIAS_AT];
        for (at, unit) in activations.second.iter_mut().enumerate() {
            let inner = &head[SECOND_WEIGHTS_AT + at * HIDDEN_SIZE..][..HIDDEN_SIZE];
            let mut parts = [0.0; 8];
            for (active, inner) in active.as_chunks::<8>().0.iter().zip(inner.as_chunks::<8>().0) {
                for lane in 0..8 {
                    parts[lane] += active[lane] * inner[lane];
                }
            }
            *unit = head[SECOND_BIAS_AT + at] + parts.iter().sum::<f32>();
            value += head[OUTPUT_WEIGHTS_AT + at] * unit.clamp(0.0, 1.0);
        }
        value * OUTPUT_STRETCH
    }

    /// The backward pass: adds the gradient of the weights, given the loss's derivative
    /// with respect to the value (`slope`).
    fn backward(
        &self,
        (features, black_to_move): (&[usize], bool),
        activations: &Activations,
        slope: f32,
        gradient: &mut [f32],
    ) {
        let slope = slope * OUTPUT_STRETCH;
        let head = self.head(black_to_move);
        let (rows, heads) = gradient.split_at_mut(HEADS_AT);
        let head_gradient = &mut heads[usize::from(black_to_move) * HEAD_SIZE..][..HEAD_SIZE];
        head_gradient[OUTPUT_BIAS_AT] += slope;
        let active = activations.first.map(|sum| sum.clamp(0.0, 1.0));
        let mut back = [0.0; HIDDEN_SIZE];
        for (at, &unit) in activations.second.iter().enumerate() {
            head_gradient[OUTPUT_WEIGHTS_AT + at] += slope * unit.clamp(0.0, 1.0);
            if !is_unclipped(unit) {
                continue;
            }
            let slope = slope * head[OUTPUT_WEIGHTS_AT + at];
            head_gradient[SECOND_BIAS_AT + at] += slope;
            let inner = &head[SECOND_WEIGHTS_AT + at * HIDDEN_SIZE..][..HIDDEN_SIZE];
            let weight_gradient =
                &mut head_gradient[SECOND_WEIGHTS_AT + at * HIDDEN_SIZE..][..HIDDEN_SIZE];
            for lane in 0..HIDDEN_SIZE {
                weight_gradient[lane] += slope * active[lane];
                back[lane] += slope * inner[lane];
            }
        }
        for (back, &sum) in back.iter_mut().zip(&activations.first) {
            *back = if is_unclipped(sum) { *back } else { 0.0 };
        }
        let add = |row: &mut [f32]| row.iter_mut().zip(&back).for_each(|(sum, back)| *sum += back);
        add(&mut head_gradient[..HIDDEN_SIZE]);
        for feature in features {
            add(&mut rows[feature * HIDDEN_SIZE..][..HIDDEN_SIZE]);
        }
    }

    /// The same network, quantised to integers.
    fn quantised(&self) -> Network {
        let quantise = |weight: f32, unit: f32, max: i32| {
            (weight * unit).round().clamp(-max as f32, max as f32) as i32
        };
        let one = f32::from(UNIT_ONE);
        let row = |weights: &[f32]| -> Accumulator {
            std::array::from_fn(|at| {
                quantise(weights[at], one, i32::from(MAX_FEATURE_WEIGHT)) as i16
            })
        };
        let rows: Vec<_> = self.weights[..HEADS_AT]
            .as_chunks::<HIDDEN_SIZE>()
            .0
            .iter()
            .map(|weights| row(weights))
            .collect();
        // The quantised size of a unit of the output.
        let points = OUTPUT_STRETCH * TABLUT_SCALE * OUTPUT_ONE as f32;
        let heads = [false, true].map(|black_to_move| {
            let head = self.head(black_to_move);
            let inner = |at: usize| {
                let weight =
                    |weight: f32| quantise(weight, WEIGHT_ONE as f32, i32::from(i16::MAX)) as i16;
                std::array::from_fn(|lane| {
                    weight(head[SECOND_WEIGHTS_AT + at * HIDDEN_SIZE + lane])
                })
            };
            Head {
                feature_bias: row(&head[..HIDDEN_SIZE]),
                second_weights: std::array::from_fn(inner),
                second_bias: std::array::from_fn(|at| {
                    quantise(head[SECOND_BIAS_AT + at], one * WEIGHT_ONE as f32, MAX_BIAS)
                }),
                output_weights: std::array::from_fn(|at| {
                    quantise(head[OUTPUT_WEIGHTS_AT + at], points, MAX_OUTPUT_WEIGHT)
                }),
                output_bias: quantise(head[OUTPUT_BIAS_AT], points * one, MAX_BIAS),
            }
        });
        Network::new(&rows, heads)
    }
}

/// Adam's moving averages of the gradient and of its square, by weight.
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    step: i32,
    steps: usize,
}

impl Adam {
    fn new(steps: usize) -> Self {
        Self { means: vec![0.0; WEIGHTS], squares: vec![0.0; WEIGHTS], step: 0, steps }
    }

    /// One step down the gradient (Kingma and Ba, "Adam: a method for stochastic
    /// optimization"), with cosine annealing of the learning rate.
    fn update(&mut self, weights: &mut [f32], gradient: &[f32]) {
        self.step += 1;
        let angle = std::f32::consts::PI * self.step as f32 / self.steps as f32;
        let rate = LEARNING_RATE * (0.5 + 0.5 * libm::cosf(angle)).max(MIN_RATE_SHARE);
        let (beta1, beta2) = BETAS;
        let correction =
            (1.0 - libm::powf(beta1, self.step as f32), 1.0 - libm::powf(beta2, self.step as f32));
        let averages = self.means.iter_mut().zip(&mut self.squares).zip(gradient);
        for (weight, ((mean, square), slope)) in weights.iter_mut().zip(averages) {
            *mean = beta1 * *mean + (1.0 - beta1) * slope;
            *square = beta2 * *square + (1.0 - beta2) * slope * slope;
            *weight -= rate * (*mean / correction.0) / ((*square / correction.1).sqrt() + 1e-8);
        }
    }
}

/// Trains a network. `report` is called with the loss after each epoch, on the
/// training samples and on those held back.
pub(super) fn train(
    training: &[Sample],
    validation: &[Sample],
    seed: u64,
    report: &mut dyn FnMut(&str),
) -> Network {
    let symmetries = symmetries();
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0xf17);
    let mut network = FloatNetwork::random(&mut rng);
    let mut order: Vec<usize> = (0..training.len()).collect();
    let mut adam = Adam::new(EPOCHS * training.len().div_ceil(BATCH_SIZE));
    let mut gradient = vec![0.0_f32; WEIGHTS];
    let mut features = Vec::with_capacity(32);
    let mut activations = Activations::new();
    for epoch in 0..EPOCHS {
        order.shuffle(&mut rng);
        let (mut sum, mut counted) = (0.0, 0);
        for batch in order.chunks(BATCH_SIZE) {
            gradient.fill(0.0);
            for (number, &at) in batch.iter().enumerate() {
                let sample = &training[at];
                sample.features(&symmetries[rng.random_range(0..8)], &mut features);
                let value = network.forward(&features, sample.black_to_move, &mut activations);
                if number % LOSS_INTERVAL == 0 {
                    sum += f64::from(loss(sample.target, value));
                    counted += 1;
                }
                let slope = (logistic(value) - sample.target) / batch.len() as f32;
                let input = (features.as_slice(), sample.black_to_move);
                network.backward(input, &activations, slope, &mut gradient);
            }
            adam.update(&mut network.weights, &gradient);
        }
        let mean = sum / f64::from(counted.max(1));
        let losses = validation.iter().map(|sample| {
            sample.features(&symmetries[0], &mut features);
            let value = network.forward(&features, sample.black_to_move, &mut activations);
            f64::from(loss(sample.target, value))
        });
        let total: f64 = losses.sum();
        let validation_loss = match validation.len() {
            0 => String::new(),
            count => format!(", on games held back {:.5}", total / count as f64),
        };
        report(&format!("epoch {}: loss {mean:.5}{validation_loss}", epoch + 1));
    }
    network.quantised()
}

#[cfg(test)]
mod tests {
    use super::{
        super::super::{network::add_feature, squares::bit},
        *,
    };
    use crate::Score;
    use tabulae_games::GameKind;

    #[test]
    fn the_gradient_is_the_slope_of_the_value() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut floats = FloatNetwork::random(&mut rng);
        let mut activations = Activations::new();
        let features = [5, 90, 200];
        floats.forward(&features, true, &mut activations);
        let mut gradient = vec![0.0; WEIGHTS];
        floats.backward((&features, true), &activations, 1.0, &mut gradient);
        let black = HEADS_AT + HEAD_SIZE;
        let places = [5 * HIDDEN_SIZE, 200 * HIDDEN_SIZE + 7, black, black + SECOND_WEIGHTS_AT + 9]
            .into_iter()
            .chain([
                black + SECOND_BIAS_AT + 1,
                black + OUTPUT_WEIGHTS_AT + 2,
                black + OUTPUT_BIAS_AT,
                HEADS_AT,
            ]);
        for at in places {
            let mut moved = |by: f32| {
                floats.weights[at] += by;
                let value = floats.forward(&features, true, &mut activations);
                floats.weights[at] -= by;
                value
            };
            let slope = (moved(1e-3) - moved(-1e-3)) / 2e-3;
            assert!((slope - gradient[at]).abs() < 0.02, "{at}: {slope}, {}", gradient[at]);
        }
    }

    #[test]
    fn the_quantised_network_agrees_with_the_floats() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let floats = FloatNetwork::random(&mut rng);
        let network = floats.quantised();
        let mut activations = Activations::new();
        for _ in 0..200 {
            let (mut features, mut accumulator) = (Vec::new(), [0; HIDDEN_SIZE]);
            for _ in 0..15 {
                let (kind, at) = (rng.random_range(0..3), index(rng.random_range(0..9), 4));
                features.push(feature_index(kind, at));
                add_feature(&mut accumulator, network.feature(kind, at));
            }
            for black_to_move in [false, true] {
                let exact =
                    floats.forward(&features, black_to_move, &mut activations) * TABLUT_SCALE;
                let quantised = network.evaluate(&accumulator, black_to_move);
                assert!((exact - quantised as f32).abs() < 15.0, "{exact}, {quantised}");
                // What is shown is what was trained.
                let shown = Score::Points(quantised).win_share(GameKind::Tablut);
                let trained = logistic(exact / TABLUT_SCALE);
                assert!((shown - trained).abs() < 0.025, "{shown}, {trained}");
            }
        }
    }

    #[test]
    fn eight_different_symmetries_each_cover_the_board() {
        let symmetries = symmetries();
        for (at, symmetry) in symmetries.iter().enumerate() {
            let covered = squares_in(BOARD).fold(0, |set, at| set | bit(symmetry[usize::from(at)]));
            assert_eq!(covered, BOARD);
            assert!(symmetries[..at].iter().all(|other| other != symmetry));
        }
    }
}
