//! The learned judgement: a network of one hidden layer, its arithmetic and
//! its file.

use super::features::{INPUTS, Inputs, WIDTH};

/// Units of the hidden layer.
pub(super) const HIDDEN: usize = 64;

/// A unit for each of the hidden layer.
pub(super) type Units = [f32; HIDDEN];

/// The weights. What it says of a board is tanh of a weighted sum of the hidden
/// units, each the positive part of a weighted sum of the inputs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    /// For each input what it adds to the hidden units.
    pub(super) rows: Vec<Units>,
    /// What the hidden units are with no input.
    pub(super) base: Units,
    /// What each hidden unit weighs.
    pub(super) out: Units,
    /// The sum with all hidden units silent.
    pub(super) rest: f32,
}

/// A board's inputs with the hidden units' sums they make.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) inputs: Inputs,
    pub(super) sums: Units,
}

impl Network {
    /// One that finds all boards equal.
    pub(super) fn blank() -> Self {
        Self {
            rows: vec![[0.0; HIDDEN]; INPUTS],
            base: [0.0; HIDDEN],
            out: [0.0; HIDDEN],
            rest: 0.0,
        }
    }

    /// The first layer for these inputs.
    pub(super) fn layer(&self, inputs: Inputs) -> Layer {
        let mut sums = self.base;
        each(inputs, |input| add(&mut sums, &self.rows[input]));
        Layer { inputs, sums }
    }

    /// The sum for these inputs, by way of a board that has most of them.
    pub(super) fn near(&self, layer: &Layer, inputs: Inputs) -> f32 {
        let mut sums = layer.sums;
        for (set, (old, new)) in layer.inputs.into_iter().zip(inputs).enumerate() {
            let mut gone = old & !new;
            while gone != 0 {
                subtract(&mut sums, &self.rows[set * WIDTH + gone.trailing_zeros() as usize]);
                gone &= gone - 1;
            }
            let mut come = new & !old;
            while come != 0 {
                add(&mut sums, &self.rows[set * WIDTH + come.trailing_zeros() as usize]);
                come &= come - 1;
            }
        }
        self.sum(&sums)
    }

    /// The weighted sum of the hidden units; its tanh is the equity.
    pub(super) fn sum(&self, sums: &Units) -> f32 {
        let mut parts = [0.0f32; 8];
        for (sums, out) in sums.chunks_exact(8).zip(self.out.chunks_exact(8)) {
            for at in 0..8 {
                parts[at] += sums[at].max(0.0) * out[at];
            }
        }
        self.rest + parts.iter().sum::<f32>()
    }
}

/// Shows the number of every input that is 1.
pub(super) fn each(inputs: Inputs, mut visit: impl FnMut(usize)) {
    for (set, mut bits) in inputs.into_iter().enumerate() {
        while bits != 0 {
            visit(set * WIDTH + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

fn add(sums: &mut Units, row: &Units) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

fn subtract(sums: &mut Units, row: &Units) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum -= weight;
    }
}

/// What the file begins with.
const MAGIC: &[u8; 8] = b"tablnet1";
/// The magic, two counts, two scales and the rest.
const HEAD: usize = 8 + 5 * 4;
/// Weights in the file.
const WORDS: usize = (INPUTS + 2) * HIDDEN;

impl Network {
    /// The file's bytes; `assets/engines/README.md` describes them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let inner = self.rows.iter().flatten().chain(&self.base);
        let scales = [scale(inner.clone()), scale(self.out.iter())];
        let mut bytes = Vec::with_capacity(HEAD + 2 * WORDS);
        bytes.extend(MAGIC);
        bytes.extend((INPUTS as u32).to_le_bytes());
        bytes.extend((HIDDEN as u32).to_le_bytes());
        for number in [scales[0], scales[1], self.rest] {
            bytes.extend(number.to_le_bytes());
        }
        let words = inner.map(|weight| (weight, scales[0]));
        for (weight, scale) in words.chain(self.out.iter().map(|weight| (weight, scales[1]))) {
            let word = (weight / scale).round().clamp(-32767.0, 32767.0) as i16;
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }

    /// Reads the file's bytes; none where they are not such a file.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (head, words) = bytes.split_at_checked(HEAD)?;
        let (magic, numbers) = head.split_at_checked(MAGIC.len())?;
        let mut numbers = numbers.as_chunks::<4>().0.iter().copied();
        let mut count = || numbers.next().map(u32::from_le_bytes);
        let sizes = (count()?, count()?);
        if magic != MAGIC || sizes != (INPUTS as u32, HIDDEN as u32) || words.len() != 2 * WORDS {
            return None;
        }
        let mut number =
            || numbers.next().map(f32::from_le_bytes).filter(|number| number.is_finite());
        let scales = [number()?, number()?];
        let rest = number()?;
        let mut words =
            words.as_chunks::<2>().0.iter().map(|&word| f32::from(i16::from_le_bytes(word)));
        let mut units = |scale: f32| -> Option<Units> {
            let mut units = [0.0; HIDDEN];
            for unit in &mut units {
                *unit = words.next()? * scale;
            }
            Some(units)
        };
        let rows = (0..INPUTS).map(|_| units(scales[0])).collect::<Option<_>>()?;
        Some(Self { rows, base: units(scales[0])?, out: units(scales[1])?, rest })
    }
}

/// The unit in which the largest of the weights just fits a word.
fn scale<'a>(weights: impl Iterator<Item = &'a f32>) -> f32 {
    let most = weights.fold(0.0f32, |most, weight| most.max(weight.abs()));
    if most > 0.0 { most / 32767.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::{
        super::{features::inputs, state::State},
        *,
    };

    fn random() -> Network {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut network = Network::blank();
        for weight in network.rows.iter_mut().flatten().chain(&mut network.out) {
            *weight = rng.random_range(-1.0..1.0);
        }
        network.rest = 0.25;
        network
    }

    #[test]
    fn a_step_from_the_parent_is_the_whole_way() {
        let network = random();
        let state = State::start(true);
        let layer = network.layer(inputs(state));
        let mut seen = 0;
        state.each_use(12, |after| {
            let near = network.near(&layer, inputs(after));
            let whole = network.sum(&network.layer(inputs(after)).sums);
            assert!((near - whole).abs() < 1e-3, "{near} {whole}");
            seen += 1;
        });
        assert!(seen > 10);
    }

    #[test]
    fn a_file_reads_back_and_a_broken_one_does_not() {
        let network = random();
        let bytes = network.to_bytes();
        let read = Network::read(&bytes).unwrap();
        for (a, b) in network.rows.iter().flatten().zip(read.rows.iter().flatten()) {
            assert!((a - b).abs() < 1e-4);
        }
        assert_eq!((read.base, read.rest), (network.base, network.rest));
        assert_eq!(read.to_bytes(), bytes);
        for end in [0, 7, 8, HEAD, bytes.len() - 1] {
            assert_eq!(Network::read(&bytes[..end]), None, "{end}");
        }
        for at in [0, 8, 13] {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert_eq!(Network::read(&bytes), None, "{at}");
        }
        let mut infinite = bytes.clone();
        infinite[16..20].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert_eq!(Network::read(&infinite), None);
    }
}
