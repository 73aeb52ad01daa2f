//! A network's steps towards what it should have said.

use super::{
    features::{INPUTS, Inputs},
    network::{HIDDEN, Network, Units, each},
};

/// What a position should have been judged.
pub(super) struct Lesson {
    pub(super) inputs: Inputs,
    pub(super) target: f32,
}

/// A network that takes lessons.
#[derive(Debug)]
pub(super) struct Learner {
    pub(super) network: Network,
    slopes: Slopes,
    /// The mean square of how far judgements have lately been off.
    pub(super) error: f32,
}

impl Learner {
    pub(super) fn new(network: Network) -> Self {
        Self { network, slopes: Slopes::new(), error: 0.0 }
    }

    /// Moves the weights a step towards the lessons.
    pub(super) fn learn(&mut self, lessons: &[Lesson], rate: f32) {
        let mut squares = 0.0;
        for lesson in lessons {
            let layer = self.network.layer(lesson.inputs);
            let off = self.network.sum(&layer.sums).tanh() - lesson.target;
            squares += off * off;
            self.slopes.add(&self.network, lesson.inputs, &layer.sums, off);
        }
        let count = lessons.len().max(1) as f32;
        self.error += (squares / count - self.error) * 0.01;
        self.slopes.step(&mut self.network, rate, 1.0 / count);
    }
}

/// The slopes of the error along every weight, and what Adam remembers of them
/// (Kingma and Ba, 2015). Rows that no lesson has touched rest.
#[derive(Debug)]
struct Slopes {
    rows: Vec<Row>,
    touched: Vec<bool>,
    base: Row,
    out: Row,
    rest: [f32; 3],
    steps: i32,
}

#[derive(Clone, Debug)]
struct Row {
    slope: Units,
    mean: Units,
    square: Units,
}

impl Row {
    const fn new() -> Self {
        Self { slope: [0.0; HIDDEN], mean: [0.0; HIDDEN], square: [0.0; HIDDEN] }
    }

    fn step(&mut self, weights: &mut Units, stride: Stride) {
        for (at, weight) in weights.iter_mut().enumerate() {
            stride.step(weight, [&mut self.slope[at], &mut self.mean[at], &mut self.square[at]]);
        }
    }
}

/// One step of Adam, its corrections for the first steps worked in.
#[derive(Clone, Copy)]
struct Stride {
    rate: f32,
    scale: f32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Stride {
    fn step(self, weight: &mut f32, [slope, mean, square]: [&mut f32; 3]) {
        let now = *slope * self.scale;
        *slope = 0.0;
        *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * now;
        *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * now * now;
        *weight -= self.rate * *mean / (square.sqrt() + 1e-8);
    }
}

impl Slopes {
    fn new() -> Self {
        Self {
            rows: vec![Row::new(); INPUTS],
            touched: vec![false; INPUTS],
            base: Row::new(),
            out: Row::new(),
            rest: [0.0; 3],
            steps: 0,
        }
    }

    /// Adds a lesson that the network is `off` by. The slope at the sum is the
    /// error itself, as with cross-entropy: it does not die where tanh is flat.
    fn add(&mut self, network: &Network, inputs: Inputs, sums: &Units, off: f32) {
        let mut inner = [0.0; HIDDEN];
        for at in 0..HIDDEN {
            let alive = sums[at] > 0.0;
            inner[at] = if alive { off * network.out[at] } else { 0.0 };
            self.out.slope[at] += off * sums[at].max(0.0);
            self.base.slope[at] += inner[at];
        }
        self.rest[0] += off;
        each(inputs, |input| {
            self.touched[input] = true;
            for (slope, inner) in self.rows[input].slope.iter_mut().zip(&inner) {
                *slope += inner;
            }
        });
    }

    fn step(&mut self, network: &mut Network, rate: f32, scale: f32) {
        self.steps = self.steps.saturating_add(1);
        let young = |decay: f32| 1.0 - decay.powi(self.steps);
        let rate = rate * young(SQUARE_DECAY).sqrt() / young(MEAN_DECAY);
        let stride = Stride { rate, scale };
        for (input, touched) in self.touched.iter_mut().enumerate() {
            if std::mem::take(touched) {
                self.rows[input].step(&mut network.rows[input], stride);
            }
        }
        self.base.step(&mut network.base, stride);
        self.out.step(&mut network.out, stride);
        let [slope, mean, square] = &mut self.rest;
        stride.step(&mut network.rest, [slope, mean, square]);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::{
        super::{features::inputs, state::State},
        *,
    };

    #[test]
    fn what_is_taught_is_learnt() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut network = Network::blank();
        for weight in network.rows.iter_mut().flatten().chain(&mut network.out) {
            *weight = rng.random_range(-0.1..0.1);
        }
        let mut learner = Learner::new(network);
        let boards = [(0xfff, 0xfff), (0xfff, 0xff), (0xff_000, 0xfff), (7, 0xfff_000)];
        let lessons: Vec<_> = boards
            .into_iter()
            .zip([0.0, 0.4, 0.7, -0.9])
            .map(|((own, enemy), target)| Lesson {
                inputs: inputs(State { own, enemy, ordered: false }),
                target,
            })
            .collect();
        for _ in 0..300 {
            learner.learn(&lessons, 0.01);
        }
        let network = &learner.network;
        for lesson in &lessons {
            let judged = network.sum(&network.layer(lesson.inputs).sums).tanh();
            assert!((judged - lesson.target).abs() < 0.02, "{judged} {}", lesson.target);
        }
    }
}
