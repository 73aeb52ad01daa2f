//! The evaluation network: one hidden layer of rectified linear units, a tanh
//! output, incremental evaluation, and the file format.

use super::features::{INPUTS, Inputs, WIDTH};

/// Units of the hidden layer.
pub(super) const HIDDEN: usize = 64;

/// One number for each hidden unit.
pub(super) type Hidden = [f32; HIDDEN];

/// The weights. The equity of a board is `tanh(logit)`, where `logit` is the output
/// unit's weighted sum.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    /// For each input its weights to the hidden units.
    pub(super) input_weights: Vec<Hidden>,
    pub(super) hidden_bias: Hidden,
    pub(super) output_weights: Hidden,
    pub(super) output_bias: f32,
}

/// A board's inputs and the hidden units' sums before the activation.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    pub(super) inputs: Inputs,
    pub(super) sums: Hidden,
}

impl Network {
    /// A network that evaluates every board as even.
    pub(super) fn zeroed() -> Self {
        Self {
            input_weights: vec![[0.0; HIDDEN]; INPUTS],
            hidden_bias: [0.0; HIDDEN],
            output_weights: [0.0; HIDDEN],
            output_bias: 0.0,
        }
    }

    /// The hidden layer for these inputs, computed in full.
    pub(super) fn accumulate(&self, inputs: Inputs) -> Accumulator {
        let mut sums = self.hidden_bias;
        for_each_active(inputs, |input| add(&mut sums, &self.input_weights[input]));
        Accumulator { inputs, sums }
    }

    /// The equity for these inputs, computed in full.
    pub(super) fn equity(&self, inputs: Inputs) -> f32 {
        equity_of(self.logit(&self.accumulate(inputs).sums))
    }

    /// The output before tanh for these inputs, updated incrementally from a
    /// board that shares most of them.
    pub(super) fn raw_from(&self, parent: &Accumulator, inputs: Inputs) -> f32 {
        let mut sums = parent.sums;
        for (set, (old, new)) in parent.inputs.into_iter().zip(inputs).enumerate() {
            for_each_bit(set, old & !new, |input| subtract(&mut sums, &self.input_weights[input]));
            for_each_bit(set, new & !old, |input| add(&mut sums, &self.input_weights[input]));
        }
        self.logit(&sums)
    }

    /// The output before tanh for these hidden sums.
    pub(super) fn logit(&self, sums: &Hidden) -> f32 {
        // Eight partial sums let the compiler use vector instructions.
        let mut parts = [0.0f32; 8];
        for (sums, weights) in sums.chunks_exact(8).zip(self.output_weights.chunks_exact(8)) {
            for at in 0..8 {
                parts[at] += sums[at].max(0.0) * weights[at];
            }
        }
        self.output_bias + parts.iter().sum::<f32>()
    }
}

/// The equity of an output before tanh. The standard library's tanh may differ from one
/// platform to the next, and a search must not.
pub(super) fn equity_of(logit: f32) -> f32 {
    libm::tanhf(logit)
}

/// Visits the number of every input that is 1.
pub(super) fn for_each_active(inputs: Inputs, mut visit: impl FnMut(usize)) {
    for (set, bits) in inputs.into_iter().enumerate() {
        for_each_bit(set, bits, &mut visit);
    }
}

/// Visits the input numbers of these bits of a set.
fn for_each_bit(set: usize, mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(set * WIDTH + bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

fn add(sums: &mut Hidden, row: &Hidden) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

fn subtract(sums: &mut Hidden, row: &Hidden) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum -= weight;
    }
}

/// The first bytes of the file.
const MAGIC: &[u8; 8] = b"tablnet1";
/// Bytes before the weights: the magic, two counts, two quantisation steps and
/// the output bias.
const HEADER_BYTES: usize = 8 + 5 * 4;
/// Weights in the file, two bytes each.
const FILE_WEIGHTS: usize = (INPUTS + 2) * HIDDEN;

impl Network {
    /// The file's bytes; `assets/engines/README.md` describes the format.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let inner = self.input_weights.iter().flatten().chain(&self.hidden_bias);
        let steps =
            [quantisation_step(inner.clone()), quantisation_step(self.output_weights.iter())];
        let mut bytes = Vec::with_capacity(HEADER_BYTES + 2 * FILE_WEIGHTS);
        bytes.extend(MAGIC);
        bytes.extend((INPUTS as u32).to_le_bytes());
        bytes.extend((HIDDEN as u32).to_le_bytes());
        for number in [steps[0], steps[1], self.output_bias] {
            bytes.extend(number.to_le_bytes());
        }
        let inner = inner.map(|weight| (weight, steps[0]));
        let outer = self.output_weights.iter().map(|weight| (weight, steps[1]));
        for (weight, step) in inner.chain(outer) {
            let word = (weight / step).round().clamp(-32767.0, 32767.0) as i16;
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }

    /// Parses the file's bytes; none if they are not such a file.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (header, words) = bytes.split_at_checked(HEADER_BYTES)?;
        let (magic, numbers) = header.split_at_checked(MAGIC.len())?;
        let mut numbers = numbers.as_chunks::<4>().0.iter().copied();
        let mut count = || numbers.next().map(u32::from_le_bytes);
        let sizes = (count()?, count()?);
        if magic != MAGIC
            || sizes != (INPUTS as u32, HIDDEN as u32)
            || words.len() != 2 * FILE_WEIGHTS
        {
            return None;
        }
        let mut number =
            || numbers.next().map(f32::from_le_bytes).filter(|number| number.is_finite());
        let [inner_step, outer_step] = [number()?, number()?];
        let output_bias = number()?;
        let mut words =
            words.as_chunks::<2>().0.iter().map(|&word| f32::from(i16::from_le_bytes(word)));
        let mut row = |step: f32| -> Option<Hidden> {
            let mut row = [0.0; HIDDEN];
            for weight in &mut row {
                *weight = words.next()? * step;
            }
            Some(row)
        };
        Some(Self {
            input_weights: (0..INPUTS).map(|_| row(inner_step)).collect::<Option<_>>()?,
            hidden_bias: row(inner_step)?,
            output_weights: row(outer_step)?,
            output_bias,
        })
    }
}

/// The step with which the largest of the weights just fits a signed word.
fn quantisation_step<'a>(weights: impl Iterator<Item = &'a f32>) -> f32 {
    let largest = weights.fold(0.0f32, |largest, weight| largest.max(weight.abs()));
    if largest > 0.0 { largest / 32767.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::{
        super::{board::Board, features::inputs},
        *,
    };

    fn random_network() -> Network {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut network = Network::zeroed();
        let rows = network.input_weights.iter_mut();
        for weight in rows.flatten().chain(&mut network.output_weights) {
            *weight = rng.random_range(-1.0..1.0);
        }
        network.output_bias = 0.25;
        network
    }

    #[test]
    fn incremental_and_full_evaluation_agree() {
        let network = random_network();
        let board = Board::start(true);
        let parent = network.accumulate(inputs(board));
        let mut seen = 0;
        board.for_each_successor(12, |after| {
            let incremental = network.raw_from(&parent, inputs(after));
            let full = network.logit(&network.accumulate(inputs(after)).sums);
            assert!((incremental - full).abs() < 1e-3, "{incremental} {full}");
            seen += 1;
        });
        assert!(seen > 10);
    }

    #[test]
    fn network_files_round_trip_and_damaged_files_are_rejected() {
        let network = random_network();
        let bytes = network.to_bytes();
        let read = Network::from_bytes(&bytes).unwrap();
        let weights = network.input_weights.iter().flatten();
        for (a, b) in weights.zip(read.input_weights.iter().flatten()) {
            assert!((a - b).abs() < 1e-4);
        }
        assert_eq!(
            (read.hidden_bias, read.output_bias),
            (network.hidden_bias, network.output_bias)
        );
        assert_eq!(read.to_bytes(), bytes);
        for end in [0, 7, 8, HEADER_BYTES, bytes.len() - 1] {
            assert_eq!(Network::from_bytes(&bytes[..end]), None, "{end}");
        }
        for at in [0, 8, 13] {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert_eq!(Network::from_bytes(&bytes), None, "{at}");
        }
        let mut infinite = bytes.clone();
        infinite[16..20].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert_eq!(Network::from_bytes(&infinite), None);
    }
}
