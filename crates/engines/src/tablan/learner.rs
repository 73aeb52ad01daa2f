//! Supervised steps of a network: backpropagation and the Adam optimiser
//! (Kingma and Ba, 2015).

use super::{
    features::{INPUTS, Inputs},
    network::{HIDDEN, Hidden, Network, equity_of, for_each_active},
};

/// A position's inputs and the equity that the network should output.
pub(super) struct TrainingSample {
    pub(super) inputs: Inputs,
    pub(super) target: f32,
}

/// A network in training.
#[derive(Debug)]
pub(super) struct Learner {
    pub(super) network: Network,
    adam: Adam,
    /// Moving average of the mean squared error, in equity.
    pub(super) mean_squared_error: f32,
}

impl Learner {
    pub(super) fn new(network: Network) -> Self {
        Self { network, adam: Adam::new(), mean_squared_error: 0.0 }
    }

    /// Makes one optimiser step on a batch.
    pub(super) fn train(&mut self, batch: &[TrainingSample], learning_rate: f32) {
        let mut squares = 0.0;
        for sample in batch {
            let accumulator = self.network.accumulate(sample.inputs);
            let error = equity_of(self.network.logit(&accumulator.sums)) - sample.target;
            squares += error * error;
            self.adam.add_gradient(&self.network, sample.inputs, &accumulator.sums, error);
        }
        let count = batch.len().max(1) as f32;
        self.mean_squared_error += (squares / count - self.mean_squared_error) * 0.01;
        self.adam.step(&mut self.network, learning_rate, 1.0 / count);
    }
}

/// The gradient of the batch so far and Adam's moment estimates, for every
/// weight. The rows of inputs that no sample of a batch has are not updated.
#[derive(Debug)]
struct Adam {
    input_weights: Vec<RowMoments>,
    active: Vec<bool>,
    hidden_bias: RowMoments,
    output_weights: RowMoments,
    /// The output bias: gradient, first and second moment.
    output_bias: [f32; 3],
    steps: i32,
}

/// The gradient and moments of one row of weights.
#[derive(Clone, Debug)]
struct RowMoments {
    gradient: Hidden,
    first: Hidden,
    second: Hidden,
}

impl RowMoments {
    const fn new() -> Self {
        Self { gradient: [0.0; HIDDEN], first: [0.0; HIDDEN], second: [0.0; HIDDEN] }
    }

    fn step(&mut self, weights: &mut Hidden, step: AdamStep) {
        for (at, weight) in weights.iter_mut().enumerate() {
            let moments = [&mut self.gradient[at], &mut self.first[at], &mut self.second[at]];
            step.apply(weight, moments);
        }
    }
}

/// The parameters of one step.
#[derive(Clone, Copy)]
struct AdamStep {
    /// The learning rate, including Adam's bias correction.
    rate: f32,
    /// Factor on the summed gradient: one over the batch size.
    scale: f32,
}

/// Adam's decay of the first and of the second moment.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

impl AdamStep {
    /// Updates a weight and resets its gradient.
    fn apply(self, weight: &mut f32, [gradient, first, second]: [&mut f32; 3]) {
        let mean = *gradient * self.scale;
        *gradient = 0.0;
        *first = BETA1 * *first + (1.0 - BETA1) * mean;
        *second = BETA2 * *second + (1.0 - BETA2) * mean * mean;
        *weight -= self.rate * *first / (second.sqrt() + 1e-8);
    }
}

impl Adam {
    fn new() -> Self {
        Self {
            input_weights: vec![RowMoments::new(); INPUTS],
            active: vec![false; INPUTS],
            hidden_bias: RowMoments::new(),
            output_weights: RowMoments::new(),
            output_bias: [0.0; 3],
            steps: 0,
        }
    }

    /// Backpropagates a sample's error. The gradient at the output sum is the
    /// error itself, as with cross-entropy, so it does not vanish where tanh
    /// saturates.
    fn add_gradient(&mut self, network: &Network, inputs: Inputs, sums: &Hidden, error: f32) {
        let mut hidden = [0.0; HIDDEN];
        for at in 0..HIDDEN {
            hidden[at] = if sums[at] > 0.0 { error * network.output_weights[at] } else { 0.0 };
            self.output_weights.gradient[at] += error * sums[at].max(0.0);
            self.hidden_bias.gradient[at] += hidden[at];
        }
        self.output_bias[0] += error;
        for_each_active(inputs, |input| {
            self.active[input] = true;
            for (sum, gradient) in self.input_weights[input].gradient.iter_mut().zip(&hidden) {
                *sum += gradient;
            }
        });
    }

    /// Updates the network with the summed gradient times `scale`.
    fn step(&mut self, network: &mut Network, learning_rate: f32, scale: f32) {
        self.steps = self.steps.saturating_add(1);
        let bias_correction = |beta: f32| 1.0 - libm::powf(beta, self.steps as f32);
        let rate = learning_rate * bias_correction(BETA2).sqrt() / bias_correction(BETA1);
        let step = AdamStep { rate, scale };
        for (input, active) in self.active.iter_mut().enumerate() {
            if std::mem::take(active) {
                self.input_weights[input].step(&mut network.input_weights[input], step);
            }
        }
        self.hidden_bias.step(&mut network.hidden_bias, step);
        self.output_weights.step(&mut network.output_weights, step);
        let [gradient, first, second] = &mut self.output_bias;
        step.apply(&mut network.output_bias, [gradient, first, second]);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::{
        super::{board::Board, features::inputs},
        *,
    };

    #[test]
    fn training_converges_to_the_targets() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut network = Network::zeroed();
        let rows = network.input_weights.iter_mut();
        for weight in rows.flatten().chain(&mut network.output_weights) {
            *weight = rng.random_range(-0.1..0.1);
        }
        let mut learner = Learner::new(network);
        let boards = [(0xfff, 0xfff), (0xfff, 0xff), (0xff_000, 0xfff), (7, 0xfff_000)];
        let batch: Vec<_> = boards
            .into_iter()
            .zip([0.0, 0.4, 0.7, -0.9])
            .map(|((own, opponent), target)| TrainingSample {
                inputs: inputs(Board { own, opponent, ordered: false }),
                target,
            })
            .collect();
        for _ in 0..300 {
            learner.train(&batch, 0.01);
        }
        let network = &learner.network;
        for sample in &batch {
            let equity = network.equity(sample.inputs);
            assert!((equity - sample.target).abs() < 0.02, "{equity} {}", sample.target);
        }
    }
}
